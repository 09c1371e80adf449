// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

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

    /// Reader for a mapping, with the `known` keys; nil if missing, or if none, which is reported.
    func fields<Key>(
        at path: String,
        _: Key.Type,
        of known: [String] = Key.allCases.map(\.stringValue)
    ) throws(Problem) -> FieldReader<Key>? {
        guard let entry = document[path] else { return nil }
        return try FieldReader(entry.value, at: path, of: known, collecting: document.add(_:at:))
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

    /// An absolute path, and arguments.
    func command(_ key: Key) throws(Problem) -> [String]? {
        let noPath = "does not begin with the absolute path of a program."
        let remedy = "Give a list such as [/usr/local/bin/notify, --quiet]."
        return try texts(key, noPath, remedy: remedy) { words in
            words.first.map(ConfigurationReader.isPath) == true ? words : nil
        }
    }

    func span(
        _ key: Key,
        in range: ClosedRange<Duration> = HumanDuration.usualRange,
        suchAs example: String = "5m"
    ) throws(Problem) -> Duration? {
        let ends = (HumanDuration.text(range.lowerBound), HumanDuration.text(range.upperBound))
        let wrong = "is no time from \(ends.0) to \(ends.1)."
        return try duration(key, wrong, remedy: "Give one such as \(example).", in: range)
    }

    /// Permission bits, always in octal: `0660`, `"0660"` and `660` are equal.
    func mode(_ key: Key) throws(Problem) -> UInt16? {
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

/// Keys of the configuration file, by mapping; the keys of a camera's `match` are ``CameraMatch/Key``.
///
/// The reader accepts exactly these, and tests compare them with config/tintyped.yaml and tintyped.yaml(5).
enum ConfigurationKey {
    /// Values there must not appear in messages: a webhook or a header can contain a secret, and it or a token (instead
    /// of its digest) can be anywhere in its section by mistake, also as a key.
    static func mayBeSecret(_ path: String) -> Bool {
        [Root.access, .hooks, .uploads].contains { path.hasPrefix($0.rawValue) }
    }
}
