// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import TintypeModel
internal import TintypeSpool

struct SpoolSettings: Hashable, Sendable {
    /// `default`, or the key in `spools`.
    var name = SpoolStore.Configuration.defaultName
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

extension ConfigurationReader {
    func spool(at path: String, _ settings: SpoolSettings) throws(Problem) -> SpoolSettings {
        var settings = settings
        guard let keys = try fields(at: path, ConfigurationKey.Spool.self) else { return settings }
        let remedy = "Give a path such as \(SpoolSettings().folder)."
        settings.folder = try keys.absolutePath(.folder, remedy: remedy) ?? settings.folder
        settings.folderMode = try keys.mode(.folderMode) ?? settings.folderMode
        settings.fileMode = try keys.mode(.fileMode) ?? settings.fileMode
        // The daemon itself needs this access, to store a second picture or read stored ones.
        if settings.folderMode & 0o700 != 0o700 {
            let detail = "The daemon itself could not use such folders."
            document.add(keys.path(of: .folderMode), detail, remedy: "Begin with 7, as in 0750.")
        }
        if settings.fileMode & 0o600 != 0o600 {
            let detail = "The daemon itself could not read such files."
            document.add(keys.path(of: .fileMode), detail, remedy: "Begin with 6, as in 0640.")
        }
        settings.owner = try keys.account(.owner, "user")
        settings.group = try keys.account(.group, "group")
        settings.names = try names(keys) ?? settings.names
        settings.retention = try retention(at: keys.path(of: .retention))
        return settings
    }

    private func names(_ keys: FieldReader<ConfigurationKey.Spool>) throws(Problem) -> FileNames? {
        let remedy = "Give one such as \"\(FileNames.standard.pattern)\"."
        let pattern = try keys.freeText(.names, "is not a pattern for names.", remedy: remedy) { !$0.isEmpty }
        guard let pattern else { return nil }
        do throws(FileNames.Fault) {
            return try FileNames(pattern)
        } catch {
            document.add(keys.path(of: .names), error.detail, remedy: error.remedy)
            return nil
        }
    }

    func spools() throws(Problem) -> [SpoolSettings] {
        let remedy = "Give each spool a name, with its keys below, such as archive: {folder: /mnt/archive}."
        var spools: [SpoolSettings] = []
        for (path, entry) in entries(at: "spools", remedy: remedy) {
            guard CameraName.isValid(entry.name), entry.name != SpoolStore.Configuration.defaultName else {
                let detail = "\"\(entry.name)\" is no name for a further spool."
                let remedy =
                    "Use 1 to 64 of a-z, 0-9, \".\", \"_\" and \"-\", the first a letter or a digit, but not "
                    + "“\(SpoolStore.Configuration.defaultName)”: that one is below spool."
                document.add(path, detail, remedy: remedy, place: entry.keyPlace)
                continue
            }
            if case .object(let fields) = entry.value, fields[ConfigurationKey.Spool.folder.rawValue] == nil {
                let remedy = "Every spool needs a folder of its own."
                document.add(path, "The key folder is missing.", remedy: remedy, place: entry.keyPlace)
            }
            spools.append(try spool(at: path, SpoolSettings(name: entry.name)))
        }
        return spools
    }

    func checkSpoolNames(of all: DaemonConfiguration) {
        let names = [SpoolStore.Configuration.defaultName] + all.spools.map(\.name)
        for camera in all.cameras {
            guard let spool = camera.spool, !names.contains(spool) else { continue }
            let path = FieldPath.joined(FieldPath.joined("cameras", camera.name), "spool")
            let remedy = "Give it a folder below spools, or use one of: \(names.joined(separator: ", "))."
            let question = Spelling.question(for: [spool]) { Spelling.nearest(to: $0, among: names) }
            document.add(path, "There is no spool \"\(spool)\".", remedy: question ?? remedy)
        }
    }

    func checkFolders(of all: DaemonConfiguration) {
        for (other, spool) in all.spoolsThatShareFolders {
            let path = FieldPath.joined(FieldPath.joined("spools", spool.name), "folder")
            // A missing folder is already reported.
            guard document[path] != nil else { continue }
            let what = "It is the folder of the spool \(other.name), \(other.folder)"
            let detail = "\(what), or one of the two is inside of the other."
            document.add(path, detail, remedy: "Give each spool a folder of its own.")
        }
    }
}

extension ConfigurationKey {
    /// Keys of `spool`, and of each of `spools`.
    enum Spool: String, CodingKey, CaseIterable { case folder, folderMode, fileMode, owner, group, names, retention }
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
