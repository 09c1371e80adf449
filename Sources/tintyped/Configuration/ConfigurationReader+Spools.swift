// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeSpool
internal import Yams

extension ConfigurationReader {
    /// The settings in the mapping of a spool, over `settings`.
    static func spool(
        _ keys: MappingReader<ConfigurationKey.Spool>?,
        _ settings: SpoolSettings = SpoolSettings()
    ) -> SpoolSettings {
        var settings = settings
        guard let keys else { return settings }
        let remedy = "Give a path such as \(SpoolSettings().folder)."
        settings.folder = keys.text(.folder, "an absolute path", remedy: remedy, where: isPath) ?? settings.folder
        settings.folderMode = keys.mode(.folderMode) ?? settings.folderMode
        settings.fileMode = keys.mode(.fileMode) ?? settings.fileMode
        // Without them the daemon could not store a second picture, or read back what it stored.
        if settings.folderMode & 0o700 != 0o700 {
            let detail = "The daemon itself could not use such folders."
            keys.fault(.folderMode, detail, remedy: "Begin with 7, as in 0750.")
        }
        if settings.fileMode & 0o600 != 0o600 {
            keys.fault(.fileMode, "The daemon itself could not read such files.", remedy: "Begin with 6, as in 0640.")
        }
        settings.owner = keys.account(.owner, "user")
        settings.group = keys.account(.group, "group")
        settings.names = names(keys) ?? settings.names
        settings.retention = retention(keys, .retention, ConfigurationKey.Retention.self)
        settings.thumbnails =
            keys.scalar(.thumbnails, "a number of bytes", remedy: "Give one such as 64M, or 0 to keep none.") {
                HumanBytes.parse($0.string)
            } ?? settings.thumbnails
        return settings
    }

    /// The spools of the mapping `node`, in its order.
    static func spools(_ node: Node?, at path: String, faults: FaultCollector) -> [SpoolSettings] {
        let remedy = "Give each spool a name, with its keys below, such as archive: {folder: /mnt/archive}."
        var spools: [SpoolSettings] = []
        for entry in entries(node, at: path, remedy: remedy, faults: faults) {
            let (name, key, value) = (entry.name, entry.key, entry.value)
            guard CameraName.isValid(name), name != Spool.Configuration.defaultName else {
                faults.add(
                    key.mark,
                    key: "\(path).\(name)",
                    "\"\(name)\" is no name for a further spool.",
                    remedy: "Use 1 to 64 of a-z, 0-9, \".\", \"_\" and \"-\", the first a letter or a digit, but not "
                        + "“\(Spool.Configuration.defaultName)”: that one is below spool."
                )
                continue
            }
            let keys = MappingReader<ConfigurationKey.Spool>(value, at: "\(path).\(name)", faults: faults)
            if value.mapping != nil, keys.node(.folder) == nil {
                faults.add(
                    key.mark,
                    key: "\(path).\(name)",
                    "The key folder is missing.",
                    remedy: "Every spool needs a folder of its own."
                )
            }
            spools.append(spool(keys, SpoolSettings(name: name)))
        }
        return spools
    }

    /// The name of the spool that a camera names.
    static func spoolName(_ keys: MappingReader<ConfigurationKey.Camera>) -> String? {
        keys.text(.spool, "the name of a spool", remedy: "Give the name of a spool below spools.") { _ in true }
    }

    /// Notes where a camera names a spool that there is not.
    static func checkSpoolNames(_ cameras: Node?, against all: DaemonConfiguration, faults: FaultCollector) {
        let names = [Spool.Configuration.defaultName] + all.spools.map(\.name)
        for (camera, keys) in cameras?.mapping ?? [:] {
            guard let node = keys.mapping?["spool"], let name = node.string, node.yamlType == .text else { continue }
            guard !names.contains(name) else { continue }
            faults.add(
                node.mark,
                key: "cameras.\(camera.string ?? "").spool",
                "There is no spool \"\(name)\".",
                remedy: "Give it a folder below spools, or use one of: \(names.joined(separator: ", "))."
            )
        }
    }

    private static func names(_ keys: MappingReader<ConfigurationKey.Spool>) -> FileNames? {
        let remedy = "Give one such as \"\(FileNames.standard.pattern)\"."
        guard let text = keys.text(.names, "a pattern for names", remedy: remedy, where: { !$0.isEmpty }) else {
            return nil
        }
        do throws(FileNames.Fault) {
            return try FileNames(text)
        } catch {
            keys.fault(.names, error.detail, remedy: error.remedy)
            return nil
        }
    }
}
