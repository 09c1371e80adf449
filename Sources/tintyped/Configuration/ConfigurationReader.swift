// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeSpool

/// Strict parser of tintyped.yaml(5): reports all unknown keys and invalid values, with the limits of requests.
///
/// Faults are collected in the document instead of being thrown.
struct ConfigurationReader {
    typealias Entry = (path: String, entry: ConfigurationDocument.Entry)

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

    /// Settings changed by the keys of a mapping; nil if missing, or if none, which is reported.
    func section<Key, Settings>(
        at path: String,
        _: Key.Type,
        _ settings: Settings,
        _ change: (FieldReader<Key>, inout Settings) throws(Problem) -> Void
    ) throws(Problem) -> Settings? {
        guard let keys = try fields(at: path, Key.self) else { return nil }
        var settings = settings
        try change(keys, &settings)
        return settings
    }

    /// Items of a list of mappings; reports another value as "The value is … and not WHAT.", with the remedy.
    func list<Item>(
        at path: String,
        _ wrong: String,
        remedy: String,
        _ read: (_ path: String) throws(Problem) -> Item?
    ) throws(Problem) -> [Item]? {
        guard let value = document[path]?.value else { return nil }
        guard case .list(let items) = value else {
            document.add(.type(wrong, remedy: remedy), at: path)
            return []
        }
        return try items.indices.map { (index) throws(Problem) in try read("\(path)[\(index)]") }.compactMap(\.self)
    }

    /// Entries of a mapping with user-defined names, in order; a value of another kind is reported with `remedy`.
    func entries(at path: String, remedy: String) -> [Entry] {
        guard let mapping = document[path], mapping.value != .unusable else { return [] }
        guard case .object = mapping.value else {
            document.add(path, "The value is \(mapping.kind).", remedy: remedy)
            return []
        }
        return mapping.names.map { FieldPath.joined(path, $0) }.compactMap { path in document[path].map { (path, $0) } }
    }

    /// Reads the entries of a mapping whose names are those of cameras; reports the others as "NAME WRONG".
    func named<Value>(
        at path: String,
        _ wrong: String,
        suchAs example: String,
        _ read: (_ path: String, ConfigurationDocument.Entry) throws(Problem) -> Value?
    ) throws(Problem) -> [Value] {
        let remedy = "Give each a name, with its keys below, such as \(example)."
        return try entries(at: path, remedy: remedy).map { (item) throws(Problem) -> Value? in
            if CameraName.isValid(item.entry.name) { return try read(item.path, item.entry) }
            document.add(nameOf: item.entry, at: item.path, wrong, remedy: CameraName.remedy)
            return nil
        }.compactMap(\.self)
    }

    /// Reports the key if it is missing.
    func require<Key>(_ key: Key, in keys: FieldReader<Key>, remedy: String, place: ConfigurationFault.Place? = nil) {
        guard keys[key] == nil else { return }
        document.add(keys.path, "The key \(key.stringValue) is missing.", remedy: remedy, place: place)
    }

    static func isPath(_ text: String) -> Bool {
        text.hasPrefix("/") && !text.utf8.contains(0) && text.utf8.count < 4096
    }
}

extension FieldReader {
    /// Reports another text as "is not WHAT. Give GIVE."
    func text<T>(_ key: Key, is what: String, give: String, _ read: (String) -> T?) throws(Problem) -> T? {
        try text(key, "is not \(what).", remedy: "Give \(give).", read)
    }

    func absolutePath(_ key: Key, give: String) throws(Problem) -> String? {
        try freeText(key, "is not an absolute path.", remedy: "Give \(give).", where: ConfigurationReader.isPath)
    }

    func flag(_ key: Key) throws(Problem) -> Bool? {
        try text(key, is: "true or false", give: "one of these") { Bool($0) }
    }

    /// The only value that the key can have: a key that is not there has the other meaning.
    func isGiven(_ key: Key, as word: String) throws(Problem) -> Bool {
        try text(key, "is not \(word).", remedy: "Give \(word), or leave it out.") { $0 == word ? true : nil } ?? false
    }

    func span(
        _ key: Key,
        in range: ClosedRange<Duration> = HumanDuration.usualRange,
        suchAs example: String = "5m"
    ) throws(Problem) -> Duration? {
        let ends = (HumanDuration.text(range.lowerBound), HumanDuration.text(range.upperBound))
        return try text(key, "is no time from \(ends.0) to \(ends.1).", remedy: "Give one such as \(example).") {
            text in
            HumanDuration.parse(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    func percent(_ key: Key, is what: String, give: String, in range: ClosedRange<Double>) throws(Problem) -> Double? {
        try text(key, is: what, give: give) { text in
            let match = text.wholeMatch(of: /([0-9]{1,3}(?:\.[0-9]{1,3})?) ?%/)
            return match.flatMap { Double($0.1) }.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Minutes since midnight.
    func timeOfDay(_ key: Key) throws(Problem) -> Int? {
        try text(key, is: "a time of the day", give: "a time of the day such as 00:10") { text in
            DayHours.minutes(of: text).flatMap { $0 < DayHours.day ? $0 : nil }
        }
    }

    func hours(_ key: Key) throws(Problem) -> DayHours? {
        let give = "its start and its end, such as 06:00-20:00, or 22:00-05:00 for one that continues after midnight"
        return try text(key, is: "a part of the day", give: give) { DayHours($0) }
    }

    func tags(_ key: Key) throws(Problem) -> [String]? {
        let wrong = "is not a list of at most \(StillRequest.mostTags) different tags."
        return try texts(key, wrong, remedy: StillRequest.tagRemedy) { tags in
            tags.isEmpty || !StillRequest.areValid(tags: tags) ? nil : tags
        }
    }

    func bytes(
        _ key: Key,
        in range: ClosedRange<Int> = 1...Int.max,
        give: String = "a number and its unit (k, M, G or T, of 1024 each), such as 20G"
    ) throws(Problem) -> Int? {
        try text(key, is: "a number of bytes", give: give) { text in
            HumanBytes.parse(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    func command(_ key: Key) throws(Problem) -> [String]? {
        let noPath = "does not begin with the absolute path of a program."
        return try texts(key, noPath, remedy: "Give a list such as [/usr/local/bin/notify, --quiet].") { words in
            words.first.map(ConfigurationReader.isPath) == true ? words : nil
        }
    }

    /// Permission bits with `least` among them, always in octal: `0660`, `"0660"` and `660` are equal.
    func mode(_ key: Key, with least: UInt16 = 0, suchAs example: String = "0660") throws(Problem) -> UInt16? {
        let what = least == 0 ? "a file mode" : "a file mode with which the daemon itself has access"
        return try text(key, is: what, give: "three or four octal digits, such as \"\(example)\"") { digits in
            guard digits.wholeMatch(of: /0?[0-7]{3}/) != nil else { return nil }
            return UInt16(digits, radix: 8).flatMap { $0 & least == least ? $0 : nil }
        }
    }

    func cameraNames(_ key: Key) throws(Problem) -> [String]? {
        try texts(key, "is no list of cameras.", remedy: "Give the names of cameras, such as [front, back].") { words in
            words.allSatisfy(CameraName.isValid) && !words.isEmpty ? words : nil
        }
    }

    func account(_ key: Key, _ kind: String) throws(Problem) -> String? {
        try text(key, is: "the name or number of a \(kind)", give: "a \(kind) such as tintype") { name in
            // Unknown names are logged, so a token given by mistake must not count as one.
            name.wholeMatch(of: /[^:,\s\/]{1,256}/) != nil && !AccessRule.isToken(name) ? name : nil
        }
    }
}
