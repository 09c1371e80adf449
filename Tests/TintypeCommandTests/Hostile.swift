// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TintypeModel

/// Replaces every text of a value with text that moves the cursor, colours, reorders, hides and breaks lines.
enum Hostile {
    static let text = "a\u{1B}[2J\r\nb\u{9B}31m\u{202E}c\u{200B}\u{7}\u{2028}\u{7F}d"

    private enum Step {
        case key(String)
        case index(Int)
    }

    /// `value` with ``text`` in each string of its JSON that still decodes.
    static func version<Value: Codable>(of value: Value) throws -> Value {
        var tree = try JSONSerialization.jsonObject(with: Data(try WireFormat.encode(value)))
        for path in paths(of: tree) {
            let changed = setting(tree, path[...])
            let bytes = try JSONSerialization.data(withJSONObject: changed)
            if (try? WireFormat.decode(Value.self, from: bytes)) != nil { tree = changed }
        }
        return try WireFormat.decode(Value.self, from: try JSONSerialization.data(withJSONObject: tree))
    }

    private static func paths(of tree: Any) -> [[Step]] {
        switch tree {
        case is String: [[]]
        case let list as [Any]:
            list.enumerated().flatMap { index, item in paths(of: item).map { [.index(index)] + $0 } }
        case let object as [String: Any]:
            object.sorted { $0.key < $1.key }.flatMap { key, item in paths(of: item).map { [.key(key)] + $0 } }
        default: []
        }
    }

    private static func setting(_ tree: Any, _ path: ArraySlice<Step>) -> Any {
        guard let step = path.first else { return text }
        switch step {
        case .key(let key):
            var object = tree as? [String: Any] ?? [:]
            object[key] = setting(object[key] ?? text, path.dropFirst())
            return object
        case .index(let index):
            var list = tree as? [Any] ?? []
            list[index] = setting(list[index], path.dropFirst())
            return list
        }
    }

    /// Scalars of `output` that a terminal would interpret, except newlines.
    static func commands(in output: String) -> [String] {
        output.unicodeScalars.filter { $0 != "\n" && !PrintableText.isSafe($0) }.map { String($0.value, radix: 16) }
    }
}
