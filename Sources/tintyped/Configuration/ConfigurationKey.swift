// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Keys of the configuration file, by mapping; the keys of a camera's `match` are ``CameraMatch/Key``.
///
/// The reader accepts exactly these, and tests compare them with config/tintyped.yaml and tintyped.yaml(5).
enum ConfigurationKey {
    enum Root: String, CodingKey, CaseIterable {
        case socket, tcp, access, ready, exitIdle, spool, spools, state, hooks, uploads, jobs, cameras
    }
    enum Socket: String, CodingKey, CaseIterable { case path, mode, group }
    enum State: String, CodingKey, CaseIterable { case folder }
    enum Access: String, CodingKey, CaseIterable { case user, group, token, name, role, cameras, frames, work }
    enum TCP: String, CodingKey, CaseIterable { case address, port, hosts, origins }
    enum Camera: String, CodingKey, CaseIterable {
        case device, match, pattern, gps, look, controls, profiles, spool, publish, record, latest, film, ring, motion
        case alarms, codes, recover, allowGap, lead, stall, firstFrame, retention

        /// All keys of a camera: the settings, which clients can change too, after those of its identity.
        static let names =
            allCases.prefix(3).map(\.rawValue) + CameraSettings.CodingKeys.allCases.map(\.rawValue)
            + allCases.dropFirst(3).map(\.rawValue)
        /// Former keys of a camera that are keys of its look.
        static let moved = [Look.quality, .overlay].map(\.rawValue)
    }
    enum Ring: String, CodingKey, CaseIterable { case seconds, megabytes }
    enum Alarm: String, CodingKey, CaseIterable { case `for` }
    enum Recover: String, CodingKey, CaseIterable { case command, after, pause }
    enum Position: String, CodingKey, CaseIterable { case latitude, longitude, altitude }
    enum Film: String, CodingKey, CaseIterable { case every, at, fps, speed, cut, deflicker, tags, `where` }
    enum Hook: String, CodingKey, CaseIterable {
        case on, `for`, cameras, command, webhook, timeLimit, atOnce, retries
    }
    enum Look: String, CodingKey, CaseIterable { case rotate, flip, crop, mask, overlay, quality }
    enum Overlay: String, CodingKey, CaseIterable { case text, font, size, position }
    enum Publish: String, CodingKey, CaseIterable {
        case every, nth, all, align, between, days, when, before, settle, integrity, reject, width, durability, tags
        case `for`, original

        static let ofFrames = allCases.filter { ![.for, .original].contains($0) }
        /// Keys of `record`.
        static let ofClips: [Self] = [.every, .align, .between, .days, .when, .before, .tags, .for, .original]
    }
    enum Latest: String, CodingKey, CaseIterable { case every, width, quality }
    enum Motion: String, CodingKey, CaseIterable { case threshold, area, mask, hold }
    /// Keys of the `retention` of a spool, and, without `minFree` and `keepUntil`, of a camera.
    enum Retention: String, CodingKey, CaseIterable {
        case rules, maxAge, maxFrames, maxBytes, films, minFree, keepUntil
    }
    enum RetentionRule: String, CodingKey, CaseIterable { case keep, `where` }
    /// Keys of `spool`, and of each of `spools`.
    enum Spool: String, CodingKey, CaseIterable { case folder, folderMode, fileMode, owner, group, names, retention }
    enum Upload: String, CodingKey, CaseIterable {
        case to, `where`, spool, order, limit, between, method, headers, record, priority, deleteAfterUpload
    }
    enum Jobs: String, CodingKey, CaseIterable { case atOnce, behind }

    /// Values there must not appear in messages: a webhook or a header can contain a secret, and it or a token (instead
    /// of its digest) can be anywhere in its section by mistake, also as a key.
    static func mayBeSecret(_ path: String) -> Bool {
        [Root.access, .hooks, .uploads].contains { path.hasPrefix($0.rawValue) }
    }
}
