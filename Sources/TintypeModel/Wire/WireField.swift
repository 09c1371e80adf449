// SPDX-License-Identifier: Apache-2.0

package protocol WireSchema: WireType {
    /// Name in the contract; nil for a schema that is written inline.
    static var schemaName: String? { get }
    static var definition: OrderedJSON { get }
}

extension WireSchema {
    package static var schemaName: String? { "\(Self.self)" }

    /// Reference to the named schema, or the schema itself if it has no name.
    package static var schema: OrderedJSON {
        schemaName.map { ["$ref": .schema(name: $0, Self.self)] } ?? definition
    }
}

/// JSON object type defined by one table of fields: the source of its schema and, for a still's record, of a header.
///
/// The table documents the fields; a property has a comment only if the code needs more. Optional fields may be absent.
package protocol WireObject: WireSchema {
    /// Description in the contract, as a sentence.
    static var summary: String { get }
    static var fields: [WireField<Self>] { get }
}

extension WireObject {
    package typealias Field = WireField<Self>

    package static var definition: OrderedJSON {
        let required = fields.filter(\.isRequired).map { OrderedJSON.text($0.name) }
        let described: OrderedJSON = ["type": "object", "description": .text(summary)]
        return (required.isEmpty ? described : described.adding(["required": .list(required)]))
            .adding([
                "properties": .object(fields.map { ($0.name, $0.schema) }),
                "additionalProperties": false,
            ])
    }
}

package struct WireField<Root>: Sendable {
    package let name: String
    /// Name in the header of a picture, as in `Tintype-Lead-Ms`; case-insensitive (RFC 9110, 5.1).
    package var headerName: String {
        name.dropFirst().reduce(into: "Tintype-" + name.prefix(1).uppercased()) { text, letter in
            if letter.isUppercase { text.append("-") }
            text.append(letter)
        }
    }
    /// Description in the contract; empty if the type is self-explanatory.
    package let description: String
    /// Schema without the description.
    package let valueSchema: OrderedJSON
    package var schema: OrderedJSON {
        description.isEmpty ? valueSchema : valueSchema.adding(["description": .text(description)])
    }
    package let isRequired: Bool
    /// Value as header text; nil if it has none.
    package let headerText: @Sendable (Root) -> String?
    /// Parses header text into an object; false if it is invalid.
    package let read: @Sendable (String, inout Root) -> Bool
}

extension WireField {
    /// Field backed by a property; `rules` are added to its schema.
    ///
    /// Optional if the type is optional or `rules` has a `default`; `isRequired` overrides this.
    // Inlining would add 1.2 kB of code per field of each table.
    @inline(never)
    package init<Value: WireType>(
        _ name: String,
        _ path: any WritableKeyPath<Root, Value> & Sendable,
        _ description: String = "",
        _ rules: OrderedJSON = [:],
        isRequired: Bool? = nil
    ) {
        self.init(
            name: name,
            description: description,
            valueSchema: Value.schema.adding(rules),
            isRequired: isRequired ?? (!Value.isOptional && rules["default"] == nil),
            headerText: { $0[keyPath: path].headerText },
            read: { text, root in
                guard let value = Value.value(inHeader: text) else { return false }
                root[keyPath: path] = value
                return true
            }
        )
    }

    /// Field that the type encodes and decodes itself; `schema` is that of its value.
    @inline(never)
    package init(
        _ name: String,
        of schema: OrderedJSON,
        _ description: String = "",
        _ rules: OrderedJSON = [:],
        isRequired: Bool = false
    ) {
        self.init(
            name: name,
            description: description,
            valueSchema: schema.adding(rules),
            isRequired: isRequired,
            headerText: { _ in nil },
            read: { _, _ in false }
        )
    }

    /// Same field of an object that contains this one at `path`.
    func within<Outer>(_ path: any WritableKeyPath<Outer, Root> & Sendable) -> WireField<Outer> {
        WireField<Outer>(
            name: name,
            description: description,
            valueSchema: valueSchema,
            isRequired: isRequired,
            headerText: { [headerText] in headerText($0[keyPath: path]) },
            read: { [read] in read($0, &$1[keyPath: path]) }
        )
    }
}

extension OrderedJSON {
    package static let notNegative: OrderedJSON = ["minimum": 0]
    package static let positive: OrderedJSON = ["minimum": 1]
    static let counts: OrderedJSON = ["additionalProperties": ["type": "integer", "minimum": 1]]

    package static func range(_ range: ClosedRange<Int>) -> OrderedJSON {
        ["minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
    }

    /// The bounds must be whole.
    package static func range(_ range: ClosedRange<Double>) -> OrderedJSON {
        .range(Int(range.lowerBound)...Int(range.upperBound))
    }

    static func length(_ range: ClosedRange<Int>) -> OrderedJSON {
        ["minLength": .integer(range.lowerBound), "maxLength": .integer(range.upperBound)]
    }

    static let tags: OrderedJSON = [
        "items": ["type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"],
        "maxItems": .integer(StillRequest.mostTags), "uniqueItems": true,
    ]

    func defaulting(to value: OrderedJSON) -> OrderedJSON { adding(["default": value]) }
}
