// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import TintypeAPI
internal import TintypeCapture
internal import TintypeModel
internal import TintypeSpool

/// Configuration of the daemon, from the configuration file and flags.
///
/// The keys are documented in config/tintyped.yaml and tintyped.yaml(5); comments here cover only differences.
struct DaemonConfiguration: Hashable, Sendable {
    /// Optional file that is read without `--config`.
    static let defaultFile = "/etc/tintype/tintyped.yaml"

    var socket = SocketSettings()
    var tcp: TCPSettings?
    /// Access rules; nil if access to the socket grants full control.
    var access: [AccessRule]?
    /// Condition for `READY=1` to systemd.
    var ready = Readiness.listening
    /// Idle time after which a socket-activated daemon exits; nil for never.
    var exitIdle: Duration?
    var spool = SpoolSettings()
    /// Additional spools, in the order of the file, each with its own name and folder.
    var spools: [SpoolSettings] = []
    var state = StateSettings()
    /// In the order of the file, as are the cameras.
    var hooks: [HookConfiguration] = []
    var cameras: [CameraConfiguration] = []

    /// True if all capture nodes found are offered, since no camera is configured.
    var discovers: Bool { cameras.isEmpty }

    /// Pairs of spools with the same folder, or one inside the other's, the later one second.
    ///
    /// Such a spool would treat the other's pictures as its own. Blocks on the file system.
    var spoolsThatShareFolders: [(SpoolSettings, SpoolSettings)] {
        let all = [spool] + spools
        return all.enumerated().flatMap { index, spool in
            all.prefix(index).filter { FolderPath.overlap($0.folder, spool.folder) }.map { ($0, spool) }
        }
    }
}

/// Time of reporting readiness to systemd.
enum Readiness: String, CaseIterable, Hashable, Sendable {
    case listening
    /// Once each camera that is kept open delivers frames, or is known to be absent or faulty.
    case cameras
}

struct SocketSettings: Hashable, Sendable {
    /// Absolute, or relative to the working directory; at most ``ControlListener/longestPath`` bytes.
    var path = "/run/tintype/tintyped.sock"
    var mode: UInt16 = 0o660
    /// Group of the socket; nil for that of the process.
    var group: String?
}

struct TCPSettings: Hashable, Sendable {
    /// Default address, reachable only from this machine.
    static let loopback = "127.0.0.1"

    /// Nil if only systemd listens.
    var address: TCPAddress?
    /// Host names that clients may use, in addition to `localhost`.
    var hosts: [String]
}

struct SpoolSettings: Hashable, Sendable {
    /// `default`, or the key in `spools`.
    var name = Spool.Configuration.defaultName
    /// Absolute, or relative to the working directory.
    var folder = "/var/lib/tintype/spool"
    var folderMode: UInt16 = 0o750
    var fileMode: UInt16 = 0o640
    /// Name or id of the owner of its files; nil for that of the process.
    var owner: String?
    /// Name or id of the group of its files; nil for that of the process.
    var group: String?
    var names = FileNames.standard
    var retention = RetentionSettings()
}

/// Folder for state saved by commands, such as profiles.
struct StateSettings: Hashable, Sendable {
    /// Absolute, or relative to the working directory.
    var folder = "/var/lib/tintype"
}

/// A command or webhook for events; see tintyped.yaml(5) for the keys.
struct HookConfiguration: Hashable, Sendable {
    /// See ``CameraName/isValid(_:)``.
    var name: String
    var kinds: [Event.Kind]
    /// Cameras whose events are handled; nil for all events of those kinds.
    var cameras: [String]?
    /// Absolute path of the program, and its arguments; empty for a webhook.
    var command: [String] = []
    /// HTTP or HTTPS URL to post events to; nil for a command.
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
    /// Maximum number of symbolic links, as in the kernel (path_resolution(7)).
    private static let mostLinks = 40

    /// True if two absolute paths name the same folder or one inside the other; blocks on the file system.
    static func overlap(_ one: String, _ other: String) -> Bool {
        let (one, other) = (parts(of: one), parts(of: other))
        return one.starts(with: other) || other.starts(with: one)
    }

    /// Components of the canonical path; missing ones are kept as written.
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
    /// JPEG quality of encoded pictures, 1 to 100.
    var quality = StillRequest.defaultQuality
    var position: GeoPosition?
    var overlay = OverlaySettings()
    var profiles: [ControlProfile] = []
    /// Spool name; nil for `default`.
    var spool: String?
    var publish: [PublishSchedule] = []
    /// Interval of replacing `latest.jpg`; nil if it links to the newest stored still.
    var latest: LatestSettings?
    /// Retention in addition to that of the spool.
    var retention = RetentionSettings()

    /// True if the camera is kept open unless a client stops it.
    var isKeptOpen: Bool {
        session.warmth == .hot || session.motion != nil
            || publish.contains { if case .nth = $0.rate { true } else { false } }
    }

    /// True if it names controls, which only the camera can validate.
    var namesControls: Bool { !session.controls.isEmpty || !profiles.isEmpty }
}

struct OverlaySettings: Hashable, Sendable {
    /// Default overlay text; see ``ImageOptions/isValid(overlay:)``.
    var text: String?
    /// Style of the default text and of requested texts.
    var style = OverlayStyle()
}
