// SPDX-License-Identifier: Apache-2.0
internal import TintypeAPI
internal import TintypeDevice
internal import TintypeModel

/// Command-line flags that affect settings, tintyped(8).
struct DaemonFlags: Sendable {
    var config: String?
    var socket: String?
    var spool: String?
    var state: String?
    var device: String?
    var patterns: [PatternSpec] = []
    var isPrivate = false
    var stopLimit = ExitGuard.limit
    var passed = PassedSockets.none
    /// Base of relative paths.
    var workingFolder: String

    var file: String { config ?? DaemonConfiguration.defaultFile }

    /// Reads the file and merges the flags; throws ``ConfigurationError`` or ``Problem``, and blocks.
    func settings() throws -> DaemonSettings {
        let configuration = isPrivate ? nil : try ConfigurationReader.read(path: file, isOptional: config == nil)
        var settings = try DaemonSettings(configuration, self)
        if !isPrivate { settings.configuration.tokens = try ConfigurationReader.tokens(beside: absolute(file)) }
        return settings
    }

    fileprivate func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : workingFolder == "/" ? "/\(path)" : "\(workingFolder)/\(path)"
    }
}

struct DaemonSettings: Hashable, Sendable {
    /// Paths given by flags are made absolute.
    var configuration: DaemonConfiguration
    /// Cameras of `--pattern`, in order: `pattern`, `pattern-2`, `pattern-3` and so on.
    var patterns: [CameraConfiguration]
    var discovers: Bool
    /// True if the daemon serves only the program that started it, without socket and spool, and exits with it.
    var isPrivate: Bool
    /// The process ends this long after the request to stop, even if the stop is not complete.
    var stopLimit: Duration

    static let deviceName = "camera"

    /// Without a file, only cameras named by flags are used: a user who names one wants no other opened.
    init(_ file: DaemonConfiguration?, _ flags: DaemonFlags) throws(Problem) {
        configuration = file ?? DaemonConfiguration()
        if let socket = flags.passed.control?.path ?? flags.socket {
            configuration.socket.path = flags.absolute(socket)
        }
        if let spool = flags.spool { configuration.spool.folder = flags.absolute(spool) }
        if let state = flags.state { configuration.stateFolder = flags.absolute(state) }
        isPrivate = flags.isPrivate
        stopLimit = flags.stopLimit
        try Self.refuseSharedFolders(of: [configuration.spool] + configuration.spools)
        patterns = flags.patterns.enumerated().map { index, spec in
            CameraConfiguration(name: index == 0 ? "pattern" : "pattern-\(index + 1)", source: .pattern(spec))
        }
        discovers = configuration.cameras.isEmpty && (file != nil || flags.patterns.isEmpty && flags.device == nil)
        let names = Set(configuration.cameras.map(\.name))
        let flagged =
            patterns.map { ($0.name, "--pattern") } + (flags.device == nil ? [] : [(Self.deviceName, "--device")])
        if let (name, flag) = flagged.first(where: { names.contains($0.0) }) {
            let detail = "The configuration has a camera named \(name), and so has \(flag)."
            throw Problem(.invalidRequest, detail, remedy: "Give the camera another name, or leave out \(flag).")
        }
        guard let device = flags.device else { return }
        let source = Camera.Source.node(path: flags.absolute(device))
        configuration.cameras.append(CameraConfiguration(name: Self.deviceName, source: source))
    }

    /// 100 ms of the default limit, for the last replies.
    var replyLimit: Duration { stopLimit / 9 }
    /// 500 ms of the default limit; services that have not ended by then are cancelled.
    var serviceLimit: Duration { stopLimit * 5 / 9 }
    /// 300 ms of the default limit, for the spools to sync and close.
    var closeLimit: Duration { stopLimit / 3 }

    /// A spool would treat the pictures of one in the same folder, or inside its folder, as its own.
    private static func refuseSharedFolders(of spools: [SpoolSettings]) throws(Problem) {
        for (index, spool) in spools.enumerated() {
            for other in spools.prefix(index) where FolderPath.overlap(other.folder, spool.folder) {
                let what = "The spools \(other.name) and \(spool.name) share a folder, or one is inside of the other"
                let detail = "\(what): \(other.folder) and \(spool.folder)."
                throw Problem(.invalidRequest, detail, remedy: "Give each spool a folder of its own.")
            }
        }
    }
}
