// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel
internal import TintypePattern

/// The settings of the daemon: its configuration file, or the defaults, with its flags on top.
struct DaemonSettings: Hashable, Sendable {
    /// Socket, spool and cameras; both paths absolute.
    var configuration: DaemonConfiguration
    /// The cameras of `--pattern`, in its order: `pattern`, `pattern-2`, `pattern-3` and so on.
    var patterns: [CameraConfiguration]
    /// Whether every capture node that is found is offered.
    var discovers: Bool
    /// Whether it serves only the program that started it: without socket and spool, and only as long as
    /// that runs.
    var isPrivate: Bool

    /// The name of the camera of `--device`.
    static let deviceName = "camera"
}

extension DaemonSettings {
    /// The settings of a daemon with `file`, the configuration that was read, if there was one, and these flags.
    ///
    /// Relative paths are below `folder`. Without a file, the cameras of the flags are all there are: a user who names
    /// one wants no other opened.
    init(
        file: DaemonConfiguration?,
        socket: String?,
        spool: String?,
        state: String? = nil,
        device: String? = nil,
        patterns specs: [PatternSpec],
        isPrivate: Bool = false,
        workingFolder folder: String
    ) throws(Problem) {
        configuration = file ?? DaemonConfiguration()
        if let socket { configuration.socket.path = Self.absolute(socket, below: folder) }
        if let spool { configuration.spool.folder = Self.absolute(spool, below: folder) }
        if let state { configuration.state.folder = Self.absolute(state, below: folder) }
        self.isPrivate = isPrivate
        if let (one, other) = configuration.spoolsThatShareFolders.first {
            throw Problem(
                .invalidRequest,
                "The spools \(one.name) and \(other.name) share a folder, or one is inside of the other: "
                    + "\(one.folder) and \(other.folder).",
                remedy: "Give each spool a folder of its own."
            )
        }
        patterns = specs.enumerated().map { index, spec in
            CameraConfiguration(name: index == 0 ? "pattern" : "pattern-\(index + 1)", source: .pattern(spec))
        }
        discovers = configuration.cameras.isEmpty && (file != nil || specs.isEmpty && device == nil)
        let names = Set(configuration.cameras.map(\.name))
        if let taken = patterns.first(where: { names.contains($0.name) }) { throw Self.taken(taken.name, "--pattern") }
        guard let device else { return }
        if names.contains(Self.deviceName) { throw Self.taken(Self.deviceName, "--device") }
        let source = Camera.Source.node(path: Self.absolute(device, below: folder))
        configuration.cameras.append(CameraConfiguration(name: Self.deviceName, source: source))
    }

    private static func taken(_ name: String, _ flag: String) -> Problem {
        Problem(
            .invalidRequest,
            "The configuration has a camera named \(name), and so has \(flag).",
            remedy: "Give the camera another name, or leave out \(flag)."
        )
    }

    private static func absolute(_ path: String, below folder: String) -> String {
        path.hasPrefix("/") ? path : folder == "/" ? "/\(path)" : "\(folder)/\(path)"
    }
}
