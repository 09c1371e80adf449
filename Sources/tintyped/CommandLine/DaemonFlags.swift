// SPDX-License-Identifier: Apache-2.0
internal import TintypeControl
internal import TintypePattern

/// The flags of the daemon's command line that settings come from, tintyped(8).
struct DaemonFlags: Sendable {
    let config: String?
    let socket: String?
    let spool: String?
    let state: String?
    let device: String?
    let patterns: [PatternSpec]
    let isPrivate: Bool
    /// The sockets that the service manager listens on.
    var passed = PassedSockets.none
    /// What relative paths are below.
    let workingFolder: String

    /// The configuration file.
    var file: String { config ?? DaemonConfiguration.defaultFile }

    /// The settings that the file and the flags give; throws ``ConfigurationError`` or ``Problem``.
    ///
    /// Reads the file, and blocks for that.
    func settings() throws -> DaemonSettings {
        try DaemonSettings(
            file: isPrivate ? nil : ConfigurationReader.read(path: file, isOptional: config == nil),
            socket: passed.control?.path ?? socket,
            spool: spool,
            state: state,
            device: device,
            patterns: patterns,
            isPrivate: isPrivate,
            workingFolder: workingFolder
        )
    }
}
