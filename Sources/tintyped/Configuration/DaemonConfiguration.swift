// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import TintypeAPI
internal import TintypeCapture
internal import TintypeModel
internal import TintypeSpool

/// The keys are documented in config/tintyped.yaml and tintyped.yaml(5); comments here cover only differences.
struct DaemonConfiguration: Hashable, Sendable {
    /// Read if it exists and there is no `--config`.
    static let defaultFile = "/etc/tintype/tintyped.yaml"

    var socket = SocketSettings()
    var tcp: TCPSettings?
    /// Nil if access to the socket grants full control.
    var access: [AccessRule]?
    var ready = Readiness.listening
    /// Nil for never.
    var exitIdle: Duration?
    var spool = SpoolSettings()
    /// In the order of the file.
    var spools: [SpoolSettings] = []
    var state = StateSettings()
    /// In the order of the file, as are the cameras.
    var hooks: [HookConfiguration] = []
    var cameras: [CameraConfiguration] = []

    /// All capture nodes found are offered, since no camera is configured.
    var discovers: Bool { cameras.isEmpty }

    /// Pairs with the same folder, or one inside the other's, the later one second; blocks on the file system.
    ///
    /// Such a spool would treat the other's pictures as its own.
    var spoolsThatShareFolders: [(SpoolSettings, SpoolSettings)] {
        let all = [spool] + spools
        return all.enumerated().flatMap { index, spool in
            all.prefix(index).filter { FolderPath.overlap($0.folder, spool.folder) }.map { ($0, spool) }
        }
    }
}

/// When `READY=1` is sent to systemd.
enum Readiness: String, CaseIterable, Hashable, Sendable {
    case listening
    /// Once each camera that is kept open delivers frames, or is known to be absent or faulty.
    case cameras
}

struct SocketSettings: Hashable, Sendable {
    /// Absolute, or relative to the working directory; at most ``ControlListener/longestPath`` bytes.
    var path = "/run/tintype/tintyped.sock"
    var mode: UInt16 = 0o660
    /// Nil for that of the process.
    var group: String?
}

struct TCPSettings: Hashable, Sendable {
    /// Reachable only from this machine.
    static let loopback = "127.0.0.1"

    /// Nil if only systemd listens.
    var address: TCPAddress?
    /// In addition to `localhost`.
    var hosts: [String]
}

struct SpoolSettings: Hashable, Sendable {
    /// `default`, or the key in `spools`.
    var name = Spool.Configuration.defaultName
    /// Absolute, or relative to the working directory.
    var folder = "/var/lib/tintype/spool"
    var folderMode: UInt16 = 0o750
    var fileMode: UInt16 = 0o640
    /// Name or id; nil for that of the process, here and in `group`.
    var owner: String?
    var group: String?
    var names = FileNames.standard
    var retention = RetentionSettings()
}

/// For what is saved by command, such as profiles.
struct StateSettings: Hashable, Sendable {
    /// Absolute, or relative to the working directory.
    var folder = "/var/lib/tintype"
}

struct HookConfiguration: Hashable, Sendable {
    /// See ``CameraName/isValid(_:)``.
    var name: String
    var kinds: [Event.Kind]
    /// Nil for all events of those kinds.
    var cameras: [String]?
    /// An absolute path, and arguments; empty for a webhook.
    var command: [String] = []
    /// HTTP or HTTPS; nil for a command.
    var webhook: String?
    var timeLimit = Duration.seconds(30)
    var atOnce = 1
    var retries = 3

    static let timeLimits = Duration.seconds(1)...Duration.seconds(3600)
    static let atOnceRange = 1...16
    static let retryRange = 0...10
}

/// Canonical folder paths: symbolic links, `.` and `..` are resolved.
enum FolderPath {
    /// As in the kernel (path_resolution(7)).
    private static let mostLinks = 40

    /// The same folder, or one inside the other; blocks on the file system.
    static func overlap(_ one: String, _ other: String) -> Bool {
        let (one, other) = (parts(of: one), parts(of: other))
        return one.starts(with: other) || other.starts(with: one)
    }

    /// Missing components are kept as written.
    private static func parts(of path: String) -> [Substring] {
        var rest = Array(path.split(separator: "/").reversed())
        var parts: [Substring] = []
        var links = 0
        while let part = rest.popLast() {
            switch part {
            case ".": continue
            case "..": _ = parts.popLast()
            default:
                parts.append(part)
                let here = "/" + parts.joined(separator: "/")
                guard links < mostLinks,
                    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: here)
                else { continue }
                links += 1
                if target.hasPrefix("/") { parts = [] } else { parts.removeLast() }
                rest += target.split(separator: "/").reversed()
            }
        }
        return parts
    }
}

/// A camera of the configuration file or of a flag; see tintyped.yaml(5) for the keys.
struct CameraConfiguration: Hashable, Sendable {
    /// Name in the API and in the spool; see ``CameraName/isValid(_:)``.
    var name: String
    var source: Camera.Source
    /// Format, input, warmth, controls, ring, `allowGap` and lead.
    var session = SessionConfiguration()
    /// 1 to 100.
    var quality = StillRequest.defaultQuality
    var position: GeoPosition?
    var overlay = OverlaySettings()
    var profiles: [ControlProfile] = []
    /// Nil for `default`.
    var spool: String?
    var publish: [PublishSchedule] = []
    /// Nil if `latest.jpg` links to the newest stored still.
    var latest: LatestSettings?
    /// In addition to that of the spool.
    var retention = RetentionSettings()

    /// Unless a client stops it.
    var isKeptOpen: Bool {
        session.warmth == .hot || session.motion != nil
            || publish.contains { if case .nth = $0.rate { true } else { false } }
    }

    /// Only the camera can validate controls.
    var namesControls: Bool { !session.controls.isEmpty || !profiles.isEmpty }
}

struct OverlaySettings: Hashable, Sendable {
    /// Default; see ``ImageOptions/isValid(overlay:)``.
    var text: String?
    /// Of the default text and of requested texts.
    var style = OverlayStyle()
}
