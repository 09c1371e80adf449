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
        try section(at: path, ConfigurationKey.Spool.self, settings) { (keys, spool) throws(Problem) in
            spool.folder =
                try keys.absolutePath(.folder, give: "a path such as \(SpoolSettings().folder)") ?? spool.folder
            // To store a second picture, and to read stored ones.
            spool.folderMode = try keys.mode(.folderMode, with: 0o700, suchAs: "0750") ?? spool.folderMode
            spool.fileMode = try keys.mode(.fileMode, with: 0o600, suchAs: "0640") ?? spool.fileMode
            spool.owner = try keys.account(.owner, "user")
            spool.group = try keys.account(.group, "group")
            spool.names = try names(keys) ?? spool.names
            spool.retention = try retention(at: keys.path(of: .retention))
        } ?? settings
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
        let (wrong, example) = ("is no name for a further spool.", "archive: {folder: /mnt/archive}")
        return try named(at: "spools", wrong, suchAs: example) { (path, entry) throws(Problem) in
            if entry.name == SpoolStore.Configuration.defaultName {
                document.add(nameOf: entry, at: path, wrong, remedy: "Use another name: that one is below spool.")
            }
            let remedy = "Every spool needs a folder of its own."
            if case .object(let fields) = entry.value, fields[ConfigurationKey.Spool.folder.rawValue] == nil {
                document.add(path, "The key folder is missing.", remedy: remedy, place: entry.keyPlace)
            }
            return try spool(at: path, SpoolSettings(name: entry.name))
        }
    }

    func spoolName<Key>(_ keys: FieldReader<Key>, _ key: Key) throws(Problem) -> String? {
        let known = [SpoolStore.Configuration.defaultName] + (document["spools"]?.names ?? [])
        func nearest(to name: String) -> String? { Spelling.nearest(to: name, among: known) }
        let remedy = "Use one of: \(known.joined(separator: ", "))."
        return try keys.text(key, "is not the name of a spool.", remedy: remedy, nearest: nearest) { name in
            known.contains(name) ? name : nil
        }
    }
}

enum FolderPath {
    /// The same folder, or one inside the other, symbolic links resolved; blocks on the file system.
    static func overlap(_ one: String, _ other: String) -> Bool {
        let (one, other) = (parts(of: one), parts(of: other))
        return one.starts(with: other) || other.starts(with: one)
    }

    private static func parts(of path: String) -> [String] {
        var (folder, missing) = (URL(filePath: path).standardizedFileURL, [String]())
        while folder.path != "/", !FileManager.default.fileExists(atPath: folder.path) {
            missing.insert(folder.lastPathComponent, at: 0)
            folder.deleteLastPathComponent()
        }
        return folder.resolvingSymlinksInPath().pathComponents + missing
    }
}

extension ConfigurationReader {
    /// A list of rules, or a mapping, without `minFree` and `keepUntil` for a camera; without a value, nothing is deleted.
    func retention(at path: String, ofCamera: Bool = false) throws(Problem) -> RetentionSettings {
        guard let value = document[path]?.value, value != .unusable else { return RetentionSettings() }
        if case .list = value { return RetentionSettings(rules: try rules(at: path)) }
        var settings = RetentionSettings()
        let ofSpool = ofCamera ? [ConfigurationKey.Retention.minFree, .keepUntil] : []
        let known = ConfigurationKey.Retention.allCases.filter { !ofSpool.contains($0) }.map(\.rawValue)
        guard let keys = try fields(at: path, ConfigurationKey.Retention.self, of: known) else { return settings }
        settings.rules = try rules(at: keys.path(of: .rules))
        settings.maxAge = try keys.age(.maxAge)
        settings.films = try keys.age(.films)
        settings.maxFrames = try keys.integer(.maxFrames, in: 1...1_000_000_000)
        settings.maxBytes = try keys.bytes(.maxBytes)
        settings.keepsUntilUploaded = try keys.isGiven(.keepUntil, as: "uploaded")
        if !ofCamera, let minFree = try keys.bytes(.minFree) { settings.minFree = UInt64(minFree) }
        return settings
    }

    private func rules(at path: String) throws(Problem) -> [RetentionRule] {
        let remedy = "Give a list such as [{keep: 30d, where: \"verdict:intact\"}]."
        return try list(at: path, "is not a list of rules.", remedy: remedy) { (path) throws(Problem) in
            guard let keys = try fields(at: path, ConfigurationKey.RetentionRule.self) else { return nil }
            for key in ConfigurationKey.RetentionRule.allCases { require(key, in: keys, remedy: remedy) }
            let (keep, filter) = (try keys.age(.keep), try filter(keys, .where))
            if filter?.isOfVideos == true {
                let remedy = "Give films: 30d beside the rules instead."
                try keys.refuse(.where, "never matches: rules concern stills only.", remedy: remedy)
            }
            guard let keep, let filter else { return nil }
            return RetentionRule(keep: keep, filter: filter)
        } ?? []
    }

    /// Nil without the key, or with an invalid value, which is reported.
    func filter<Key>(_ keys: FieldReader<Key>, _ key: Key) throws(Problem) -> FrameFilter? {
        let remedy = "Give a filter such as \"verdict:intact\"."
        let path = keys.path(of: key)
        guard let text = try keys.freeText(key, "is not a filter.", remedy: remedy, where: { !$0.isEmpty }) else {
            return nil
        }
        do throws(Problem) {
            return try FrameFilter(parsing: text, field: key.stringValue)
        } catch {
            let isQuoted = !ConfigurationKey.mayBeSecret(path)
            let detail = isQuoted ? error.detail : "The value is not a filter."
            document.add(path, detail, remedy: isQuoted ? error.remedy : remedy)
            return nil
        }
    }
}

extension FrameFilter {
    /// True if no still can match, because of a condition on the kind.
    fileprivate var isOfVideos: Bool {
        switch self {
        case .all(let filters): filters.contains(where: \.isOfVideos)
        case .any(let filters): !filters.isEmpty && filters.allSatisfy(\.isOfVideos)
        case .is(.kind(let kind)): kind != .still
        case .is, .not: false
        }
    }
}

extension FieldReader {
    fileprivate func age(_ key: Key) throws(Problem) -> Duration? {
        try span(key, in: RetentionSettings.shortestAge ... .seconds(3650 * 86_400), suchAs: "30d")
    }
}
