// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The keys of the configuration file, by the mapping that they stand in.
///
/// The reader knows exactly these, and the tests hold config/tintyped.yaml and tintyped.yaml(5) against them.
enum ConfigurationKey {
    /// Keys of the file itself.
    enum Root: String, CaseIterable {
        case socket
        case spool
        case spools
        case state
        case cameras
    }

    /// Keys of `socket`.
    enum Socket: String, CaseIterable {
        case path
        case mode
        case group
    }

    /// Keys of `spool`, and of each of `spools`.
    enum Spool: String, CaseIterable {
        case folder
        case folderMode
        case fileMode
        case owner
        case group
        case names
        case thumbnails
        case retention
    }

    /// Keys of a spool's `retention`.
    enum Retention: String, CaseIterable {
        case rules
        case maxAge
        case maxFrames
        case maxBytes
        case minFree
    }

    /// Keys of a camera's `retention`.
    enum CameraRetention: String, CaseIterable {
        case rules
        case maxAge
        case maxFrames
        case maxBytes
    }

    /// Keys of each rule of a `retention`.
    enum RetentionRule: String, CaseIterable {
        case keep
        case `where`
    }

    /// Keys of `state`.
    enum State: String, CaseIterable {
        case folder
    }

    /// Keys of each camera.
    enum Camera: String, CaseIterable {
        case device
        case match
        case preset
        case format
        case size
        case rate
        case input
        case standard
        case crop
        case warmth
        case quality
        case gps
        case overlay
        case controls
        case profiles
        case spool
        case publish
        case latest
        case ring
        case allowGap
        case lead
        case retention
    }

    /// Keys of a camera's `ring`.
    enum Ring: String, CaseIterable {
        case seconds
        case megabytes
    }

    /// Keys of a camera's `gps`.
    enum Position: String, CaseIterable {
        case latitude
        case longitude
        case altitude
    }

    /// Keys of a camera's `overlay`.
    enum Overlay: String, CaseIterable {
        case text
        case font
        case size
        case position
    }

    /// Keys of a camera's `publish`.
    enum Publish: String, CaseIterable {
        case every
        case nth
        case all
        case align
        case between
        case days
        case settle
        case integrity
        case reject
        case width
        case durability
        case tags
    }

    /// Keys of a camera's `latest`.
    enum Latest: String, CaseIterable {
        case every
        case width
        case quality
    }

    /// Keys of a camera's `match`.
    typealias Match = CameraMatch.Key

    /// Every key with the mappings around it, a camera's name as `NAME`.
    static var allPaths: [String] {
        Root.allCases.map(\.rawValue) + Socket.allCases.map { "socket.\($0.rawValue)" }
            + Spool.allCases.map { "spool.\($0.rawValue)" } + State.allCases.map { "state.\($0.rawValue)" }
            + Camera.allCases.map { "cameras.NAME.\($0.rawValue)" }
            + Position.allCases.map { "cameras.NAME.gps.\($0.rawValue)" }
            + Overlay.allCases.map { "cameras.NAME.overlay.\($0.rawValue)" }
            + Publish.allCases.map { "cameras.NAME.publish.\($0.rawValue)" }
            + Latest.allCases.map { "cameras.NAME.latest.\($0.rawValue)" }
            + Ring.allCases.map { "cameras.NAME.ring.\($0.rawValue)" }
            + Retention.allCases.map { "spool.retention.\($0.rawValue)" }
            + CameraRetention.allCases.map { "cameras.NAME.retention.\($0.rawValue)" }
            + RetentionRule.allCases.flatMap { rule in
                ["spool", "cameras.NAME"].map { "\($0).retention.rules.\(rule.rawValue)" }
            }
            + Match.allCases.map { "cameras.NAME.match.\($0.rawValue)" }
    }
}
