// SPDX-License-Identifier: Apache-2.0

/// JSON value that preserves the order of object members; part of the contract (`/openapi.json`).
package enum OrderedJSON: Sendable {
    package typealias Member = (name: String, value: OrderedJSON)
    case text(String)
    case integer(Int)
    case flag(Bool)
    case list([OrderedJSON])
    case object([Member])
    /// Reference to a named schema, as the value of `$ref`.
    case schema(name: String, any WireSchema.Type)

    /// Value of an object member; nil for other values.
    package subscript(name: String) -> OrderedJSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// Type of a schema; nil for one that is named.
    package var type: String? { if case .text(let type) = self["type"] { type } else { nil } }

    /// Merges another object: replaces members with the same name and appends the others.
    package func adding(_ other: OrderedJSON) -> OrderedJSON {
        guard case .object(let own) = self, case .object(let more) = other else { return self }
        return .object(own.map { ($0.name, other[$0.name] ?? $0.value) } + more.filter { self[$0.name] == nil })
    }

    /// One line per member of an object, or of a list that contains an object or a list; one line for other lists.
    package func text(indent: String = "") -> String {
        let deeper = indent + "  "
        switch self {
        case .text(let text): return Self.quoted(text)
        case .integer(let number): return "\(number)"
        case .flag(let flag): return "\(flag)"
        case .schema(let name, _): return Self.quoted("#/components/schemas/\(name)")
        case .list(let items) where items.allSatisfy(\.isScalar):
            return "[" + items.map { $0.text() }.joined(separator: ", ") + "]"
        case .list(let items):
            return "[\n" + items.map { deeper + $0.text(indent: deeper) }.joined(separator: ",\n") + "\n\(indent)]"
        case .object(let members) where members.isEmpty: return "{}"
        case .object(let members):
            let lines = members.map { "\(deeper)\(Self.quoted($0.name)): \($0.value.text(indent: deeper))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
        }
    }

    private var isScalar: Bool {
        switch self {
        case .list, .object: false
        default: true
        }
    }

    /// Escapes no control characters, because the contract contains none.
    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

extension OrderedJSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .flag(value) }
}

extension OrderedJSON: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    package init(arrayLiteral items: OrderedJSON...) { self = .list(items) }
    package init(dictionaryLiteral members: (String, OrderedJSON)...) { self = .object(members.map { ($0, $1) }) }
}
