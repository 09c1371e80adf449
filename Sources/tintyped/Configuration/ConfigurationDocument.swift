// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import Yams

final class ConfigurationDocument {
    typealias Place = ConfigurationFault.Place

    struct Entry {
        /// Empty in a list.
        var name = ""
        /// Of the key; nil in a list.
        var keyPlace: Place?
        var place: Place?
        var value: FieldValue
        /// As in `a list` or `the number 5`.
        var kind: String
        /// Of a scalar, or of list items, comma-separated; nil if messages must not quote it.
        var text: String? = ""
        var names: [String] = []
    }

    private let file: String
    private var entries: [String: Entry] = [:]
    private var faults: [ConfigurationFault] = []

    /// The document has no fields if the text is empty or not YAML.
    init(_ text: String, file: String) {
        self.file = file
        if let root = compose(text) { read(root, at: "") }
    }

    /// The empty path is the whole file.
    subscript(path: String) -> Entry? { entries[path] }

    func fault(ofKey path: String, _ detail: String, remedy: String) -> ConfigurationFault {
        ConfigurationFault(file: file, place: entries[path]?.keyPlace, key: path, detail: detail, remedy: remedy)
    }

    func throwIfWrong() throws(ConfigurationError) {
        guard !faults.isEmpty else { return }
        let nowhere = Place(line: 0, column: 0)
        throw ConfigurationError(faults: faults.sorted { ($0.place ?? nowhere) < ($1.place ?? nowhere) })
    }

    func add(_ fault: FieldFault, at path: String) {
        let entry = entries[path] ?? Entry(value: .unusable, kind: "empty")
        switch fault {
        case .unknown(let known):
            let nearest = Spelling.nearest(to: entry.name, among: known)
            let remedy = nearest.map { "Did you mean \($0)?" } ?? "Known keys: \(known.joined(separator: ", "))."
            add(path, "There is no such key.", remedy: remedy, place: entry.keyPlace, quotesName: nearest != nil)
        case .notFields(let known):
            let remedy = "Give keys with their values: \(known.joined(separator: ", "))."
            add(path, "The \(path.isEmpty ? "file" : "value") is \(entry.kind).", remedy: remedy)
        case .conflict(let other): add(path, "It cannot be combined with \(other).", remedy: "Keep one of the two.")
        case .type(let wrong, let remedy):
            add(path, "The value is \(entry.kind) and \(wrong.trimmingPrefix("is "))", remedy: remedy)
        case .value(let wrong, let remedy):
            add(path, "\(entry.text.map { "\"\($0)\"" } ?? "The value") \(wrong)", remedy: remedy)
        }
    }

    /// Without `quotesName`, a name in a section that may contain secrets is left out of the path.
    func add(_ path: String, _ detail: String, remedy: String, place: Place? = nil, quotesName: Bool = true) {
        let isNamed = quotesName || !ConfigurationKey.mayBeSecret(path)
        let named = isNamed ? path : String(path.prefix { !".[".contains($0) })
        let (place, key) = (place ?? entries[path]?.place, named.isEmpty ? nil : named)
        faults.append(ConfigurationFault(file: file, place: place, key: key, detail: detail, remedy: remedy))
    }

    /// Reports a key that is not a valid name: "NAME WRONG", or "A key WRONG" where it may be a secret.
    func add(nameOf entry: Entry, at path: String, _ wrong: String, remedy: String) {
        let name = ConfigurationKey.mayBeSecret(path) ? "A key" : "\"\(entry.name)\""
        add(path, "\(name) \(wrong)", remedy: remedy, place: entry.keyPlace, quotesName: false)
    }

    private func compose(_ text: String) -> Node? {
        let remedy = "Indent with spaces, alike in one mapping, and write \"key: value\"."
        do {
            return try Yams.compose(yaml: text)
        } catch YamlError.duplicatedKeysInMapping(let names, let context) {
            // The section is unknown here, and another key may be a secret.
            let isQuoted = names.allSatisfy(CameraName.isValid)
            let keys = isQuoted ? names.map { "\"\($0)\"" }.joined(separator: ", ") : "A key"
            let remedy = "Keep one of them; give each a name of its own."
            let detail = "\(keys) appears more than once in one mapping, here first."
            add("", detail, remedy: remedy, place: Place(context.mark))
        } catch YamlError.scanner(let context, let problem, let mark, _),
            YamlError.parser(let context, let problem, let mark, _),
            YamlError.composer(let context, let problem, let mark, _)
        {
            if let indentation = text.firstMatch(of: /(?m)^( *)\t[ \t]*[^ \t\n]/)?.1 {
                let tab = Place(after: text[..<indentation.endIndex])
                add("", "YAML does not allow tabs for indentation.", remedy: "Indent with spaces.", place: tab)
                return nil
            }
            let about = context.map { "\($0.text), " } ?? ""
            add("", "This is not YAML: \(about)\(problem).", remedy: remedy, place: Place(mark))
        } catch YamlError.reader(let problem, let offset, _, _) {
            // Its description quotes the line.
            let place = offset.map { Place(after: text.prefix($0)) }
            add("", "This is not YAML: \(problem).", remedy: "Remove that character.", place: place)
        } catch {
            add("", "This is not YAML: \(error).", remedy: remedy)
        }
        return nil
    }

    /// `name` and `keyPlace` belong to the key of the value.
    @discardableResult
    private func read(_ node: Node, at path: String, name: String = "", keyPlace: Place? = nil) -> FieldValue {
        var entry = Entry(node, isQuoted: !ConfigurationKey.mayBeSecret(path))
        (entry.name, entry.keyPlace) = (name, keyPlace)
        switch node {
        case .mapping(let mapping):
            let fields = fields(of: mapping, at: path)
            entry.value = .object(Dictionary(fields) { first, _ in first })
            entry.names = fields.map(\.0)
        case .sequence(let sequence):
            entry.value = .list(sequence.enumerated().map { read($1, at: "\(path)[\($0)]") })
            let items = sequence.indices.compactMap { entries["\(path)[\($0)]"] }
            if entry.text != nil {
                entry.text = items.map { item in item.text.flatMap { $0.isEmpty ? nil : $0 } ?? item.kind }
                    .joined(separator: ", ")
            }
        case .scalar, .alias: break
        }
        entries[path] = entry
        return entry.value
    }

    /// In order; reports keys that are not text, and duplicates.
    private func fields(of mapping: Node.Mapping, at path: String) -> [(String, FieldValue)] {
        var names: Set<String> = []
        return mapping.compactMap { key, value in
            let place = key.mark.map { Place($0) }
            guard let name = key.string else {
                add(path, "A key is \(Entry(key).kind).", remedy: "Give a name for a key.", place: place)
                return nil
            }
            let inner = FieldPath.joined(path, name)
            // In YAML, 1 and "1" are different keys.
            guard names.insert(name).inserted else {
                let remedy = "Give each a name of its own."
                add(inner, "This name is used above.", remedy: remedy, place: place, quotesName: false)
                return nil
            }
            return (name, read(value, at: inner, name: name, keyPlace: place))
        }
    }
}

extension ConfigurationDocument.Entry {
    /// Without the contents of a mapping or list, and without its text unless `isQuoted`; types of YAML 1.1,
    /// "Language-Independent Types".
    fileprivate init(_ node: Node, isQuoted: Bool = true) {
        self.init(value: .unusable, kind: "empty")
        defer { if !isQuoted { text = nil } }
        place = node.mark.map { ConfigurationFault.Place($0) }
        switch node {
        case .mapping: kind = "a mapping"
        case .sequence: kind = "a list"
        case .alias: kind = "an alias"
        case .scalar(let scalar):
            let string = scalar.string
            (text, value) = (string, .plain(string))
            switch node.tag.description {
            case Tag.Name.null.rawValue: value = .unusable
            case Tag.Name.str.rawValue: (value, kind) = (.text(string), isQuoted ? "the text \"\(string)\"" : "a text")
            case Tag.Name.int.rawValue, Tag.Name.float.rawValue: kind = isQuoted ? "the number \(string)" : "a number"
            case Tag.Name.bool.rawValue: kind = isQuoted ? "the truth value \(string)" : "a truth value"
            default: kind = isQuoted ? "\"\(string)\"" : "a value"
            }
        }
    }
}

extension ConfigurationFault.Place {
    fileprivate init(_ mark: Mark) { self.init(line: mark.line, column: mark.column) }

    /// Place of the character after `text`, the start of a file.
    init(after text: Substring) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        self.init(line: lines.count, column: (lines.last?.count ?? 0) + 1)
    }
}

struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// In the order of the file; at least one.
    var faults: [ConfigurationFault]

    /// `EX_CONFIG` of sysexits.h: the configuration is unusable.
    static let exitStatus: Int32 = 78

    init(faults: [ConfigurationFault]) { self.faults = faults }

    /// A fault of the whole file, or of one place.
    init(_ file: String, _ detail: String, remedy: String, place: ConfigurationFault.Place? = nil) {
        faults = [ConfigurationFault(file: file, place: place, detail: detail, remedy: remedy)]
    }

    var description: String { faults.map(\.description).joined(separator: "\n") }
}

struct ConfigurationFault: Hashable, Sendable, CustomStringConvertible {
    var file: String
    /// Nil for the whole file.
    var place: Place?
    /// Such as `cameras.front.rate`.
    var key: String?
    var detail: String
    var remedy: String

    /// From 1.
    struct Place: Hashable, Sendable, Comparable {
        var line: Int
        var column: Int

        static func < (left: Place, right: Place) -> Bool { (left.line, left.column) < (right.line, right.column) }
    }

    /// As in `/etc/tintype/tintyped.yaml:12:11: cameras.front.rate: "fast" is not a rate.` on one line.
    var description: String {
        let position = place.map { ":\($0.line):\($0.column)" } ?? ""
        // Keys and values are arbitrary text, and the output may be a terminal.
        return PrintableText.line("\(file)\(position): " + (key.map { "\($0): " } ?? "") + "\(detail) \(remedy)")
    }
}
