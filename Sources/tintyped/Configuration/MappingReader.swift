// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import Yams

/// Reads one mapping of the configuration file: every key in it must be known and have the right value.
///
/// Faults go to the collector, and reading continues.
struct MappingReader<Key: RawRepresentable & CaseIterable & Hashable> where Key.RawValue == String {
    private let path: String
    let faults: FaultCollector
    private var nodes: [Key: Node] = [:]

    /// The mapping `node`, which stands at `path`, empty for the file itself.
    init(_ node: Node, at path: String, faults: FaultCollector) {
        self.path = path
        self.faults = faults
        guard case .mapping(let mapping) = node else {
            faults.add(
                node.mark,
                key: path.isEmpty ? nil : path,
                path.isEmpty ? "The file is \(node.kind)." : "The value is \(node.kind).",
                remedy: "Give keys with their values: \(Self.known)."
            )
            return
        }
        for (name, value) in mapping {
            guard let key = name.string.flatMap(Key.init(rawValue:)) else {
                refuse(name)
                continue
            }
            nodes[key] = value
        }
    }

    private static var known: String { Key.allCases.map(\.rawValue).joined(separator: ", ") }

    private func refuse(_ name: Node) {
        let word = name.string ?? name.kind
        let nearest = Spelling.nearest(to: word, among: Key.allCases.map(\.rawValue))
        faults.add(
            name.mark,
            key: path.isEmpty ? word : "\(path).\(word)",
            "There is no such key.",
            remedy: nearest.map { "Did you mean \($0)?" } ?? "Known keys: \(Self.known)."
        )
    }

    /// The whole name of `key`.
    func name(_ key: Key) -> String { path.isEmpty ? key.rawValue : "\(path).\(key.rawValue)" }

    /// Where `key` stands; nil if it does not.
    func mark(_ key: Key) -> Mark? { nodes[key]?.mark }

    /// The value of `key`, whatever it is; nil if the key is not there.
    func node(_ key: Key) -> Node? { nodes[key] }

    /// Notes that the value of `key` is not right.
    func fault(_ key: Key, _ detail: String, remedy: String) {
        faults.add(mark(key), key: name(key), detail, remedy: remedy)
    }

    /// The mapping that is the value of `key`; nil if the key is not there.
    func mapping<Inner>(_ key: Key, _ keys: Inner.Type) -> MappingReader<Inner>? {
        nodes[key].map { MappingReader<Inner>($0, at: name(key), faults: faults) }
    }

    /// The result of `read` on the single value of `key`; nil if the key is not there or its value is not right.
    ///
    /// `what` says what the value should be, as in "a rate", and `remedy` what to give, as a sentence.
    func scalar<Value>(_ key: Key, _ what: String, remedy: String, _ read: (Node.Scalar) -> Value?) -> Value? {
        guard let node = nodes[key] else { return nil }
        guard case .scalar(let scalar) = node, node.yamlType != .null else {
            fault(key, "The value is \(node.kind) and not \(what).", remedy: remedy)
            return nil
        }
        guard let value = read(scalar) else {
            fault(key, "\"\(scalar.string)\" is not \(what).", remedy: remedy)
            return nil
        }
        return value
    }

    /// The text that is the value of `key`, if `accepts` it; numbers, `yes` and the like are none unless quoted.
    func text(_ key: Key, _ what: String, remedy: String, where accepts: (String) -> Bool) -> String? {
        guard let node = nodes[key] else { return nil }
        guard [.text, .null].contains(node.yamlType) || node.scalar == nil else {
            let quotes = "Put it in quotes if you mean this text."
            fault(key, "The value is \(node.kind) and not \(what).", remedy: "\(remedy) \(quotes)")
            return nil
        }
        return scalar(key, what, remedy: remedy) { accepts($0.string) ? $0.string : nil }
    }

    /// The permission bits that are the value of `key`, always read as octal: `0660`, `"0660"` and `660` are the same.
    func mode(_ key: Key) -> UInt16? {
        scalar(key, "a file mode", remedy: "Give three or four octal digits, such as \"0660\".") { scalar in
            let digits = scalar.string
            guard (3...4).contains(digits.utf8.count), let mode = UInt16(digits, radix: 8), mode <= 0o777 else {
                return nil
            }
            return mode
        }
    }

    /// The name or number of a user or a group, as `kind` says, that is the value of `key`.
    func account(_ key: Key, _ kind: String) -> String? {
        scalar(key, "the name or number of a \(kind)", remedy: "Give a \(kind) such as tintype.") { scalar in
            scalar.string.wholeMatch(of: /[^:,\s\/]{1,256}/) == nil ? nil : scalar.string
        }
    }

    /// The whole number that is the value of `key`.
    func integer(_ key: Key, in range: ClosedRange<Int>) -> Int? {
        let what = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard nodes[key].map({ $0.yamlType != .text || $0.scalar == nil }) ?? true else {
            fault(key, "\"\(nodes[key]?.string ?? "")\" is not \(what).", remedy: "Give such a number, without quotes.")
            return nil
        }
        return scalar(key, what, remedy: "Give such a number.") { scalar in
            Int(scalar.string).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}
