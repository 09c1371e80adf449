// SPDX-License-Identifier: Apache-2.0
internal import TintypeAPI
internal import TintypeModel
internal import TintypeSpool

/// Strict parser of tintyped.yaml(5): reports all unknown keys and invalid values, with the limits of requests.
///
/// Faults are collected in the document instead of being thrown.
struct ConfigurationReader {
    typealias Entries = [(path: String, entry: ConfigurationDocument.Entry)]

    let document: ConfigurationDocument

    /// Nil if the file does not exist and `isOptional`; throws the faults of the file, and blocks on the file system.
    static func read(path: String, isOptional: Bool = false) throws(ConfigurationError) -> DaemonConfiguration? {
        guard let text = try ConfigurationFile.text(path: path, isOptional: isOptional) else { return nil }
        return try read(text, file: path)
    }

    static func read(_ text: String, file: String) throws(ConfigurationError) -> DaemonConfiguration {
        let document = ConfigurationDocument(text, file: file)
        var configuration = DaemonConfiguration()
        do throws(Problem) {
            configuration = try ConfigurationReader(document: document).configuration()
        } catch {
            document.add("", error.detail, remedy: error.remedy)
        }
        try document.throwIfWrong()
        return configuration
    }

    private func configuration() throws(Problem) -> DaemonConfiguration {
        var configuration = DaemonConfiguration()
        guard document[""]?.value != .unusable, let keys = try fields(at: "", ConfigurationKey.Root.self) else {
            return configuration
        }
        configuration.ready = try keys.word(.ready, Readiness.self) ?? configuration.ready
        let (wrong, remedy) = ("is no time from 1s to 7d.", "Give one such as 5m.")
        configuration.exitIdle = try keys.duration(.exitIdle, wrong, remedy: remedy, in: IdleExit.limits)
        configuration.socket = try socket()
        configuration.tcp = try tcp()
        configuration.access = try access()
        configuration.spool = try spool(at: "spool", SpoolSettings())
        configuration.spools = try spools()
        configuration.state = try state()
        configuration.hooks = try hooks()
        configuration.cameras = try cameras()
        checkSpoolNames(of: configuration)
        checkFolders(of: configuration)
        return configuration
    }

    private func socket() throws(Problem) -> SocketSettings {
        var settings = SocketSettings()
        guard let keys = try fields(at: "socket", ConfigurationKey.Socket.self) else { return settings }
        settings.path =
            try keys.freeText(
                .path,
                "is not an absolute path of at most \(ControlListener.longestPath) bytes.",
                remedy: "Give a path such as \(settings.path)."
            ) { Self.isPath($0) && $0.utf8.count <= ControlListener.longestPath } ?? settings.path
        settings.mode = try keys.mode(.mode) ?? settings.mode
        settings.group = try keys.account(.group, "group")
        return settings
    }

    private func state() throws(Problem) -> StateSettings {
        var settings = StateSettings()
        guard let keys = try fields(at: "state", ConfigurationKey.State.self) else { return settings }
        let remedy = "Give a path such as \(settings.folder)."
        settings.folder = try keys.absolutePath(.folder, remedy: remedy) ?? settings.folder
        return settings
    }

    // MARK: - Spools

    private func spool(at path: String, _ settings: SpoolSettings) throws(Problem) -> SpoolSettings {
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

    private func spools() throws(Problem) -> [SpoolSettings] {
        let remedy = "Give each spool a name, with its keys below, such as archive: {folder: /mnt/archive}."
        var spools: [SpoolSettings] = []
        for (path, entry) in entries(at: "spools", remedy: remedy) {
            guard CameraName.isValid(entry.name), entry.name != Spool.Configuration.defaultName else {
                document.add(
                    path,
                    "\"\(entry.name)\" is no name for a further spool.",
                    remedy: "Use 1 to 64 of a-z, 0-9, \".\", \"_\" and \"-\", the first a letter or a digit, but not "
                        + "“\(Spool.Configuration.defaultName)”: that one is below spool.",
                    place: entry.keyPlace
                )
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

    private func checkSpoolNames(of all: DaemonConfiguration) {
        let names = [Spool.Configuration.defaultName] + all.spools.map(\.name)
        for camera in all.cameras {
            guard let spool = camera.spool, !names.contains(spool) else { continue }
            let path = FieldPath.joined(FieldPath.joined("cameras", camera.name), "spool")
            let remedy = "Give it a folder below spools, or use one of: \(names.joined(separator: ", "))."
            document.add(path, "There is no spool \"\(spool)\".", remedy: remedy)
        }
    }

    private func checkFolders(of all: DaemonConfiguration) {
        for (other, spool) in all.spoolsThatShareFolders {
            let path = FieldPath.joined(FieldPath.joined("spools", spool.name), "folder")
            // A missing folder is already reported.
            guard document[path] != nil else { continue }
            let what = "It is the folder of the spool \(other.name), \(other.folder)"
            let detail = "\(what), or one of the two is inside of the other."
            document.add(path, detail, remedy: "Give each spool a folder of its own.")
        }
    }

    // MARK: - Mappings

    /// Reader for a mapping, with the keys of `Key` except `refused`; nil if missing, or if none, which is reported.
    func fields<Key>(at path: String, _: Key.Type, without refused: [Key] = []) throws(Problem) -> FieldReader<Key>? {
        guard let entry = document[path] else { return nil }
        return try FieldReader(entry.value, at: path, without: refused, collecting: document)
    }

    /// Entries of a mapping with user-defined names, in order; a value of another kind is reported with `remedy`.
    func entries(at path: String, remedy: String) -> Entries {
        guard let mapping = document[path], mapping.value != .unusable else { return [] }
        guard case .object = mapping.value else {
            document.add(path, "The value is \(mapping.kind).", remedy: remedy)
            return []
        }
        return mapping.names.compactMap { name in
            let inner = FieldPath.joined(path, name)
            return document[inner].map { (inner, $0) }
        }
    }

    /// Entries of a mapping with valid camera names; reports the others as "NAME WRONG".
    func named(at path: String, remedy: String, _ wrong: String) -> Entries {
        entries(at: path, remedy: remedy).filter { path, entry in
            if CameraName.isValid(entry.name) { return true }
            document.add(nameOf: entry, at: path, wrong, remedy: CameraName.remedy)
            return false
        }
    }

    /// An absolute path valid for system calls.
    static func isPath(_ text: String) -> Bool {
        text.hasPrefix("/") && !text.utf8.contains(0) && text.utf8.count < 4096
    }
}

extension FieldReader {
    func absolutePath(_ key: Key, remedy: String) throws(Problem) -> String? {
        try freeText(key, "is not an absolute path.", remedy: remedy, where: ConfigurationReader.isPath)
    }

    func duration(
        _ key: Key,
        _ wrong: String,
        remedy: String,
        in range: ClosedRange<Duration>
    ) throws(Problem) -> Duration? {
        try text(key, wrong, remedy: remedy) { HumanDuration.parse($0).flatMap { range.contains($0) ? $0 : nil } }
    }

    /// Permission bits, always in octal: `0660`, `"0660"` and `660` are equal.
    fileprivate func mode(_ key: Key) throws(Problem) -> UInt16? {
        try text(key, "is not a file mode.", remedy: "Give three or four octal digits, such as \"0660\".") { digits in
            guard (3...4).contains(digits.utf8.count), let mode = UInt16(digits, radix: 8), mode <= 0o777 else {
                return nil
            }
            return mode
        }
    }

    /// Nil without the key.
    func cameraNames(_ key: Key) throws(Problem) -> [String]? {
        let remedy = "Give the names of cameras, such as [front, back]."
        return try texts(key, "is no list of cameras.", remedy: remedy) { words in
            words.allSatisfy(CameraName.isValid) && !words.isEmpty ? words : nil
        }
    }

    /// `kind` is user or group.
    func account(_ key: Key, _ kind: String) throws(Problem) -> String? {
        let remedy = "Give a \(kind) such as tintype."
        return try text(key, "is not the name or number of a \(kind).", remedy: remedy) { name in
            // Unknown names are logged, so a token given by mistake must not count as one.
            let isName = name.wholeMatch(of: /[^:,\s\/]{1,256}/) != nil && !AccessRule.isToken(name)
            return isName ? name : nil
        }
    }
}
