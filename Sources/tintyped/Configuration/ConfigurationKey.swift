// SPDX-License-Identifier: Apache-2.0

/// Keys of the configuration file, by mapping; the keys of a camera's `match` are ``CameraMatch/Key``.
///
/// The reader accepts exactly these, and tests compare them with config/tintyped.yaml and tintyped.yaml(5).
enum ConfigurationKey {
    enum Root: String, CodingKey, CaseIterable {
        case socket, tcp, access, ready, exitIdle, spool, spools, state, hooks, cameras
    }

    enum Socket: String, CodingKey, CaseIterable { case path, mode, group }
    enum TCP: String, CodingKey, CaseIterable { case address, port, hosts }

    enum Access: String, CodingKey, CaseIterable {
        case user, group, token, name, role, cameras, frames
    }

    /// Keys of `spool`, and of each of `spools`.
    enum Spool: String, CodingKey, CaseIterable {
        case folder, folderMode, fileMode, owner, group, names, retention
    }

    /// Keys of the `retention` of a spool, and, without `minFree`, of a camera.
    enum Retention: String, CodingKey, CaseIterable {
        case rules, maxAge, maxFrames, maxBytes, minFree
    }

    enum RetentionRule: String, CodingKey, CaseIterable { case keep, `where` }
    enum State: String, CodingKey, CaseIterable { case folder }

    /// Values there must not appear in messages: a webhook can contain a secret, and it or a token (instead of its
    /// digest) can be anywhere in its section by mistake, also as a key.
    static func mayBeSecret(_ path: String) -> Bool { [Root.access, .hooks].contains { path.hasPrefix($0.rawValue) } }

    enum Hook: String, CodingKey, CaseIterable {
        case on, cameras, command, webhook, timeLimit, atOnce, retries
    }

    enum Camera: String, CodingKey, CaseIterable {
        case device, match, preset, format, size, rate, input, standard, crop, deinterlace, warmth, quality, gps,
            overlay
        case controls, profiles, spool, publish, latest, ring, motion, allowGap, lead, retention
    }

    enum Ring: String, CodingKey, CaseIterable { case seconds, megabytes }
    enum Motion: String, CodingKey, CaseIterable { case threshold, area, mask, hold }
    enum Position: String, CodingKey, CaseIterable { case latitude, longitude, altitude }
    enum Overlay: String, CodingKey, CaseIterable { case text, font, size, position }

    enum Publish: String, CodingKey, CaseIterable {
        case every, nth, all, align, between, days, when, before, settle, integrity, reject, width, durability, tags
    }

    enum Latest: String, CodingKey, CaseIterable { case every, width, quality }
}
