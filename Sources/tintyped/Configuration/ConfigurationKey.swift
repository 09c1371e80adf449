// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The keys of the configuration file, by the mapping that they stand in; those of a camera's `match` are
/// ``CameraMatch/Key``.
///
/// The reader knows exactly these, and the tests hold config/tintyped.yaml and tintyped.yaml(5) against them.
enum ConfigurationKey {
    /// Keys of the file itself.
    enum Root: String, CodingKey, CaseIterable {
        case socket, spool, spools, state, cameras
    }

    /// Keys of `socket`.
    enum Socket: String, CodingKey, CaseIterable {
        case path, mode, group
    }

    /// Keys of `spool`, and of each of `spools`.
    enum Spool: String, CodingKey, CaseIterable {
        case folder, folderMode, fileMode, owner, group, names, thumbnails, retention
    }

    /// Keys of the `retention` of a spool, and, without `minFree`, of a camera.
    enum Retention: String, CodingKey, CaseIterable {
        case rules, maxAge, maxFrames, maxBytes, minFree
    }

    /// Keys of each rule of a `retention`.
    enum RetentionRule: String, CodingKey, CaseIterable {
        case keep, `where`
    }

    /// Keys of `state`.
    enum State: String, CodingKey, CaseIterable {
        case folder
    }

    /// Keys of each camera.
    enum Camera: String, CodingKey, CaseIterable {
        case device, match, preset, format, size, rate, input, standard, crop, warmth, quality, gps, overlay, controls
        case profiles, spool, publish, latest, ring, allowGap, lead, retention
    }

    /// Keys of a camera's `ring`.
    enum Ring: String, CodingKey, CaseIterable {
        case seconds, megabytes
    }

    /// Keys of a camera's `gps`.
    enum Position: String, CodingKey, CaseIterable {
        case latitude, longitude, altitude
    }

    /// Keys of a camera's `overlay`.
    enum Overlay: String, CodingKey, CaseIterable {
        case text, font, size, position
    }

    /// Keys of a camera's `publish`.
    enum Publish: String, CodingKey, CaseIterable {
        case every, nth, all, align, between, days, settle, integrity, reject, width, durability, tags
    }

    /// Keys of a camera's `latest`.
    enum Latest: String, CodingKey, CaseIterable {
        case every, width, quality
    }
}
