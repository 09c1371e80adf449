// SPDX-License-Identifier: Apache-2.0

/// A type whose schema has a name in the contract.
package protocol WireSchema: WireType {
    /// Its name in the contract; nil for one that is written out where it is used.
    static var schemaName: String? { get }
    /// The schema behind that name.
    static var definition: OrderedJSON { get }
}

extension WireSchema {
    /// The name of the type.
    package static var schemaName: String? { "\(Self.self)" }

    /// A reference to the schema of its name, or the schema itself.
    package static var schema: OrderedJSON {
        schemaName.map { ["$ref": .text("#/components/schemas/\($0)")] } ?? definition
    }
}

/// A type that is an object in JSON, told by one table.
///
/// The table is where its fields are documented, for code as for clients; a property has a comment of its own only where
/// the code has more to say. A field that may be missing is nil. From the table come its schema in the contract and,
/// for a still's record, the header of a picture.
package protocol WireObject: WireSchema {
    /// What it is, in a sentence of the contract.
    static var summary: String { get }
    /// Its fields in the order of the contract.
    static var fields: [WireField<Self>] { get }
}

extension WireObject {
    /// A field of this type.
    package typealias Field = WireField<Self>

    /// An object of these fields and no others.
    package static var definition: OrderedJSON {
        let required = fields.filter(\.isRequired).map { OrderedJSON.text($0.name) }
        let described: OrderedJSON = ["type": "object", "description": .text(summary)]
        return (required.isEmpty ? described : described.adding(["required": .list(required)]))
            .adding([
                "properties": .object(fields.map { OrderedJSON.Member($0.name, $0.schema) }),
                "additionalProperties": false,
            ])
    }
}

/// One field of an object in JSON.
package struct WireField<Root>: Sendable {
    /// Its name in JSON.
    package let name: String
    /// Its name in the header of a picture, as in `Tintype-Lead-Ms`; case does not matter there (RFC 9110, 5.1).
    package var headerName: String {
        name.dropFirst().reduce(into: "Tintype-" + name.prefix(1).uppercased()) { text, letter in
            if letter.isUppercase { text.append("-") }
            text.append(letter)
        }
    }
    /// What it says, in words; empty where its type says it.
    package let description: String
    /// The schema of its value.
    package let valueSchema: OrderedJSON
    /// Its schema with its description.
    package var schema: OrderedJSON {
        description.isEmpty ? valueSchema : valueSchema.adding(["description": .text(description)])
    }
    /// Whether every object has it.
    package let isRequired: Bool
    /// The field of an object in a header; nil where it has none.
    package let headerText: @Sendable (Root) -> String?
    /// Reads the field of a header into an object; false where it cannot be read.
    let read: @Sendable (String, inout Root) -> Bool
}

extension WireField {
    /// A field that is a property of the same name; `rules` are members of its schema.
    ///
    /// It may be left out if its type is optional, or it has a `default`, or `isRequired` says so.
    // Inlined into the tables, it makes 1.2 kB of code for each of their fields.
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

    /// A field that the type reads and writes by itself; `schema` is that of its value.
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

    /// The same field of what holds the object at `path`.
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
    /// The members of a schema of a number that is 0 or more.
    package static let notNegative: OrderedJSON = ["minimum": 0]
    /// The members of a schema of a number that is 1 or more.
    package static let positive: OrderedJSON = ["minimum": 1]

    /// The members of a schema that keep a number within `range`.
    package static func range(_ range: ClosedRange<Int>) -> OrderedJSON {
        ["minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
    }

    /// The members of a schema that keep a number within `range`, whose bounds are whole.
    package static func range(_ range: ClosedRange<Double>) -> OrderedJSON {
        .range(Int(range.lowerBound)...Int(range.upperBound))
    }

    /// The members of a schema that keep a text's number of characters within `range`.
    static func length(_ range: ClosedRange<Int>) -> OrderedJSON {
        ["minLength": .integer(range.lowerBound), "maxLength": .integer(range.upperBound)]
    }

    /// The members of a schema of a list of tags for a frame.
    static let tags: OrderedJSON = [
        "items": ["type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"],
        "maxItems": .integer(StillRequest.mostTags), "uniqueItems": true,
    ]

    /// The same members, of a field that has this value where it is left out.
    func defaulting(to value: OrderedJSON) -> OrderedJSON { adding(["default": value]) }
}
