// SPDX-License-Identifier: Apache-2.0
internal import TintypeAPI
internal import TintypeModel

/// The keys are documented in config/tintyped.yaml and tintyped.yaml(5); comments here cover only differences.
struct DaemonConfiguration: Hashable, Sendable {
    /// Read if it exists and there is no `--config`.
    static let defaultFile = "/etc/tintype/tintyped.yaml"

    var socket = SocketSettings()
    var tcp: TCPSettings?
    /// Nil if access to the socket grants full control.
    var access: [AccessRule]?
    /// Rules of ``ConfigurationReader/tokens(beside:)``, which leave the access to the socket as it is.
    var tokens: [AccessRule] = []
    var ready = Readiness.listening
    /// Nil for never.
    var exitIdle: Duration?
    var spool = SpoolSettings()
    /// In the order of the file.
    var spools: [SpoolSettings] = []
    /// Folder of what is saved by command, such as profiles; absolute, or relative to the working directory.
    var stateFolder = "/var/lib/tintype"
    /// In the order of the file, as are the uploads and the cameras.
    var hooks: [HookConfiguration] = []
    var uploads: [UploadSettings] = []
    var jobs = JobSettings()
    var cameras: [CameraConfiguration] = []
}

/// Condition for `READY=1` to systemd.
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

extension ConfigurationReader {
    func configuration() throws(Problem) -> DaemonConfiguration {
        var configuration = DaemonConfiguration()
        guard document[""]?.value != .unusable, let keys = try fields(at: "", ConfigurationKey.Root.self) else {
            return configuration
        }
        configuration.ready = try keys.word(.ready, Readiness.self) ?? configuration.ready
        configuration.exitIdle = try keys.span(.exitIdle, in: .seconds(1) ... .seconds(7 * 86_400))
        configuration.socket = try socket() ?? configuration.socket
        configuration.tcp = try tcp()
        configuration.access = try access()
        configuration.spool = try spool(at: "spool", SpoolSettings())
        configuration.spools = try spools()
        if let keys = try fields(at: "state", ConfigurationKey.State.self) {
            let usual = configuration.stateFolder
            configuration.stateFolder = try keys.absolutePath(.folder, give: "a path such as \(usual)") ?? usual
        }
        configuration.hooks = try hooks()
        configuration.uploads = try uploads()
        configuration.jobs = try jobs() ?? configuration.jobs
        configuration.cameras = try cameras()
        return configuration
    }

    private func socket() throws(Problem) -> SocketSettings? {
        try section(at: "socket", ConfigurationKey.Socket.self, SocketSettings()) { (keys, socket) throws(Problem) in
            let (longest, remedy) = (ControlListener.longestPath, "Give a path such as \(socket.path).")
            let wrong = "is not an absolute path of at most \(longest) bytes."
            let path = try keys.freeText(.path, wrong, remedy: remedy) { Self.isPath($0) && $0.utf8.count <= longest }
            socket.path = path ?? socket.path
            socket.mode = try keys.mode(.mode) ?? socket.mode
            socket.group = try keys.account(.group, "group")
        }
    }
}
