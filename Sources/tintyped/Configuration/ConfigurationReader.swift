// SPDX-License-Identifier: Apache-2.0
internal import TintypeControl
internal import TintypeModel
internal import Yams

/// Reads tintyped.yaml(5), strictly: unknown keys and wrong values are errors, and all of them are reported.
enum ConfigurationReader {
    /// The configuration in the file at `path`.
    ///
    /// Blocks on the file system. Throws what is wrong with the file or in it. Nil if there is no such file and
    /// `isOptional`.
    static func read(path: String, isOptional: Bool = false) throws(ConfigurationError) -> DaemonConfiguration? {
        guard let text = try ConfigurationFile.text(path: path, isOptional: isOptional) else { return nil }
        return try read(text, file: path)
    }

    /// The configuration in `text`, which is from the file called `file`.
    static func read(_ text: String, file: String) throws(ConfigurationError) -> DaemonConfiguration {
        let faults = FaultCollector(file: file)
        var configuration = DaemonConfiguration()
        if let root = compose(text, faults: faults), root.yamlType != .null {
            let keys = MappingReader<ConfigurationKey.Root>(root, at: "", faults: faults)
            configuration.socket = socket(keys)
            configuration.spool = spool(keys.mapping(.spool, ConfigurationKey.Spool.self))
            configuration.spools = spools(keys.node(.spools), at: keys.name(.spools), faults: faults)
            configuration.state = state(keys)
            configuration.cameras = cameras(keys.node(.cameras), at: keys.name(.cameras), faults: faults)
            checkSpoolNames(keys.node(.cameras), against: configuration, faults: faults)
            checkFolders(keys, of: configuration, faults: faults)
        }
        try faults.throwIfAny()
        return configuration
    }

    /// The faults of the controls of the configuration in `text`, which is good otherwise: by what the cameras say or,
    /// where one cannot be asked, by the names alone.
    ///
    /// `ask` gives the controls of a camera, nil where it cannot be asked.
    static func checkControls(
        of configuration: DaemonConfiguration,
        in text: String,
        file: String,
        ask: (Camera.Source) -> [ControlDescription]?
    ) -> (faults: [ConfigurationFault], doubts: [ConfigurationFault]) {
        let root = try? Yams.compose(yaml: text)
        let all = configuration.cameras.filter { !$0.controls.isEmpty || !$0.profiles.isEmpty }
            .flatMap { ControlCheck.findings(of: $0, controls: ask($0.source)) }
            .map { finding in
                let place = root?.mark(of: finding.path).map {
                    ConfigurationFault.Place(line: $0.line, column: $0.column)
                }
                let fault = ConfigurationFault(
                    file: file,
                    place: place,
                    key: finding.path.joined(separator: "."),
                    detail: finding.detail,
                    remedy: finding.remedy
                )
                return (fault: fault, isCertain: finding.isCertain)
            }
        return (all.filter(\.isCertain).map(\.fault), all.filter { !$0.isCertain }.map(\.fault))
    }

    private static func socket(_ root: MappingReader<ConfigurationKey.Root>) -> SocketSettings {
        var settings = SocketSettings()
        guard let keys = root.mapping(.socket, ConfigurationKey.Socket.self) else { return settings }
        settings.path =
            keys.text(
                .path,
                "an absolute path of at most \(ControlListener.longestPath) bytes",
                remedy: "Give a path such as \(settings.path)."
            ) { isPath($0) && $0.utf8.count <= ControlListener.longestPath } ?? settings.path
        settings.mode = keys.mode(.mode) ?? settings.mode
        settings.group = keys.account(.group, "group")
        return settings
    }

    private static func state(_ root: MappingReader<ConfigurationKey.Root>) -> StateSettings {
        var settings = StateSettings()
        guard let keys = root.mapping(.state, ConfigurationKey.State.self) else { return settings }
        let remedy = "Give a path such as \(settings.folder)."
        settings.folder = keys.text(.folder, "an absolute path", remedy: remedy, where: isPath) ?? settings.folder
        return settings
    }

    /// Whether `text` is an absolute path that a system call can take.
    static func isPath(_ text: String) -> Bool {
        text.hasPrefix("/") && !text.utf8.contains(0) && text.utf8.count < 4096
    }
}
