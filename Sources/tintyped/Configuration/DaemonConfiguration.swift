// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import TintypeAPI
internal import TintypeModel
internal import TintypeSpool

/// The daemon's configuration, from its configuration file and its flags.
///
/// What a key means is said in config/tintyped.yaml and tintyped.yaml(5); here only where the value is another.
struct DaemonConfiguration: Hashable, Sendable {
    /// The file that is read where no other is named, if it is there.
    static let defaultFile = "/etc/tintype/tintyped.yaml"

    var socket = SocketSettings()
    /// The address to listen on over TCP; nil for none.
    var tcp: TCPSettings?
    /// Who may do what; nil where everybody who may open the socket may do everything.
    var access: [AccessRule]?
    /// What systemd is told to wait for.
    var ready = Readiness.listening
    /// For how long nothing needs a daemon that systemd's socket has started before it ends; nil for never.
    var exitIdle: Duration?
    var spool = SpoolSettings()
    /// Further spools, in the order of the file, each with a name and a folder of its own.
    var spools: [SpoolSettings] = []
    var state = StateSettings()
    /// In the order of the file, as the cameras are.
    var hooks: [HookConfiguration] = []
    var cameras: [CameraConfiguration] = []

    /// Whether every capture node that is found is offered: as long as no camera is configured.
    var discovers: Bool { cameras.isEmpty }

    /// Spools of which one has the folder of the other, or one inside of it, and would take its pictures for its own; the
    /// second is the later one.
    ///
    /// Blocks on the file system.
    var spoolsThatShareFolders: [(SpoolSettings, SpoolSettings)] {
        let all = [spool] + spools
        return all.enumerated().flatMap { index, spool in
            all.prefix(index).filter { FolderPath.overlap($0.folder, spool.folder) }.map { ($0, spool) }
        }
    }
}

/// When the daemon tells systemd that it is ready.
enum Readiness: String, CaseIterable, Hashable, Sendable {
    case listening
    /// Once each camera that is kept open gives pictures, or is known to be absent or in trouble.
    case cameras
}

struct SocketSettings: Hashable, Sendable {
    /// Its absolute path, or one relative to the working directory; of at most ``ControlListener/longestPath`` bytes.
    var path = "/run/tintype/tintyped.sock"
    var mode: UInt16 = 0o660
    /// The group that owns the socket; nil leaves it with the group of the process.
    var group: String?
}

struct TCPSettings: Hashable, Sendable {
    /// The address where none is named: programs of this machine alone reach it.
    static let loopback = "127.0.0.1"

    /// Nil where only systemd listens.
    var address: TCPAddress?
    /// Names that clients may use for it, besides `localhost`.
    var hosts: [String]
}

struct SpoolSettings: Hashable, Sendable {
    /// Its name: `default`, or its name in `spools`.
    var name = Spool.Configuration.defaultName
    /// Its absolute path, or one relative to the working directory.
    var folder = "/var/lib/tintype/spool"
    var folderMode: UInt16 = 0o750
    var fileMode: UInt16 = 0o640
    /// The name or number of the user that they belong to; nil for that of the process.
    var owner: String?
    /// The name or number of the group that they belong to; nil for that of the process.
    var group: String?
    var names = FileNames.standard
    var retention = RetentionSettings()
}

/// The folder that the daemon keeps what it was told in.
struct StateSettings: Hashable, Sendable {
    /// Its absolute path, or one relative to the working directory.
    var folder = "/var/lib/tintype"
}

/// One command that is run for events, or one address that they are posted to; tintyped.yaml(5) says more of each key.
struct HookConfiguration: Hashable, Sendable {
    /// Its name, ``CameraName/isValid(_:)``.
    var name: String
    var kinds: [Event.Kind]
    /// The cameras whose events it is run for; nil for all events of those kinds.
    var cameras: [String]?
    /// The program, an absolute path, and its arguments; empty for a webhook.
    var command: [String] = []
    /// The address of `http` or `https` that events are posted to; nil for a command.
    var webhook: String?
    var timeLimit = Duration.seconds(30)
    var atOnce = 1
    /// How often one that fails is tried again.
    var retries = 3

    static let timeLimits = Duration.seconds(1)...Duration.seconds(3600)
    static let atOnceRange = 1...16
    static let retryRange = 0...10
}

/// Folders as they are on the disk, by any path: links are followed, `.` and `..` are gone.
enum FolderPath {
    /// The most links that are followed, as by the kernel (path_resolution(7)).
    private static let mostLinks = 40

    /// Whether two absolute paths name one folder, or one that is inside of the other; blocks on the file system.
    static func overlap(_ one: String, _ other: String) -> Bool {
        let (one, other) = (parts(of: one), parts(of: other))
        return one.starts(with: other) || other.starts(with: one)
    }

    /// The names from the root to the folder; what is not there is taken as it is written.
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
