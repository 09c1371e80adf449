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
        // As for the initializer of WireField: 2 kB of code for each table otherwise.
        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        get {
            let required = fields.filter(\.isRequired).map { OrderedJSON.text($0.name) }
            let described: OrderedJSON = ["type": "object", "description": .text(summary)]
            return (required.isEmpty ? described : described.adding(["required": .list(required)]))
                .adding(["properties": .object(fields.map { ($0.name, $0.schema) }), "additionalProperties": false])
        }
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
    package private(set) var description: String
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
    /// Reads the value at a path of a request, nil if it is missing, into an object; throws `invalid-request`.
    private(set) var readValue: @Sendable (FieldValue?, _ path: String, inout Root) throws(Problem) -> Void
    /// Encodes the value, unless the field is optional and has the value of the second object.
    let encode: @Sendable (Root, _ standard: Root, inout KeyedEncodingContainer<FieldName>) throws -> Void
}

/// Any name of a field as a key.
struct FieldName: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension WireField {
    /// Field backed by a property; `rules` are added to its schema.
    ///
    /// Optional if the type is optional or `rules` has a `default`; `isRequired` overrides this.
    // Inlining or specialization would add 1 to 2 kB of code for each field of each table. There is no public attribute
    // against the latter.
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    package init<Value: WireType>(
        _ name: String,
        _ path: any WritableKeyPath<Root, Value> & Sendable,
        _ description: String = "",
        _ rules: OrderedJSON = [:],
        isRequired: Bool? = nil
    ) {
        let schema = Value.schema.adding(rules)
        let isRequired = isRequired ?? (!Value.isOptional && rules["default"] == nil)
        let isSparse = !isRequired && (Value.isOptional || rules["default"] == nil)
        self.init(
            name: name,
            description: description,
            valueSchema: schema,
            isRequired: isRequired,
            headerText: { $0[keyPath: path].headerText },
            read: { text, root in
                guard let value = Value.value(inHeader: text) else { return false }
                root[keyPath: path] = value
                return true
            },
            readValue: { (value, place, root) throws(Problem) in
                if let value {
                    root[keyPath: path] = try Value.field(value, at: place, by: schema)
                } else if isRequired {
                    let what = description.prefix(1).lowercased() + description.dropFirst()
                    let remedy = "Give \(Value.noun(by: schema)): \(what)"
                    throw .invalid(field: place, "is missing.", remedy: remedy)
                }
            },
            encode: { root, standard, container in
                let value = root[keyPath: path]
                if isSparse, value == standard[keyPath: path] { return }
                try container.encode(value, forKey: FieldName(name))
            }
        )
    }

    /// Field that the type reads and encodes itself; `schema` is that of its value.
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
            read: { _, _ in false },
            readValue: { _, _, _ in },
            encode: { _, _, _ in }
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
            read: { [read] in read($0, &$1[keyPath: path]) },
            readValue: { [readValue] (value, place, root) throws(Problem) in
                try readValue(value, place, &root[keyPath: path])
            },
            encode: { [encode] in try encode($0[keyPath: path], $1[keyPath: path], &$2) }
        )
    }

    /// Same field, which the type reads itself.
    func unread() -> Self {
        var field = self
        field.readValue = { _, _, _ in }
        return field
    }

    func described(_ description: String) -> Self {
        var field = self
        field.description = description
        return field
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
    private func bound(_ name: String) -> Int? { if case .integer(let number) = self[name] { number } else { nil } }

    /// Bounds of a number, as in ` from 1 to 9`; empty if it has none.
    var bounds: String {
        switch (bound("minimum"), bound("maximum"), bound("exclusiveMinimum")) {
        case (let least?, let most?, _): " from \(least) to \(most)"
        case (let least?, nil, _): " from \(least) on"
        case (nil, let most?, let limit?): " above \(limit) and at most \(most)"
        default: ""
        }
    }

    var mostItems: Int? { bound("maxItems") }

    /// True if the bounds of numbers and lists in this schema, and the pattern of the items of a list, hold for `value`.
    func admits(_ value: FieldValue) -> Bool {
        switch value {
        case .number(let number):
            return bound("minimum").map { Double($0) <= number } ?? true
                && bound("maximum").map { number <= Double($0) } ?? true
                && bound("exclusiveMinimum").map { Double($0) < number } ?? true
        case .list(let items):
            guard mostItems.map({ items.count <= $0 }) ?? true else { return false }
            if self["uniqueItems"] != nil, Set(items).count < items.count { return false }
            return self["items"]?["pattern"] == nil || items.flatMap(\.words).allSatisfy(StillRequest.isValid(tag:))
        default: return true
        }
    }
}

/// Body or query of a request, which its table of fields reads and encodes.
package protocol WireRequest: FieldReadable, Encodable, Sendable {
    static var fields: [WireField<Self>] { get }
    init()
    /// Checks what the table does not: fields that exclude each other, for example.
    mutating func check(_ given: [String: FieldValue]) throws(Problem)
}

extension WireRequest {
    package mutating func check(_ given: [String: FieldValue]) throws(Problem) {}

    package init?(field value: FieldValue, at path: String) throws(Problem) {
        guard case .object(let given) = value else { return nil }
        let known = Self.fields.map(\.name)
        if let unknown = given.keys.filter({ !known.contains($0) }).min() {
            throw .unknown(field: FieldPath.joined(path, unknown), known: known)
        }
        try self.init(given, of: Self.fields, at: path)
    }

    /// Reads decoded query parameters; throws `invalid-request` with the name of a parameter.
    package init(query parameters: [(name: String, value: String)]) throws(Problem) {
        try self.init([String: FieldValue](query: parameters, of: Self.fields), of: Self.fields)
    }

    init(_ given: [String: FieldValue], of fields: [WireField<Self>], at path: String = "") throws(Problem) {
        self.init()
        for field in fields {
            try field.readValue(given[field.name], FieldPath.joined(path, field.name), &self)
        }
        try check(given)
    }

    package func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }

    func encodeFields(to encoder: any Encoder, without omitted: Set<String> = []) throws {
        let fields = Self.fields.filter { !omitted.contains($0.name) }
        try fields.encode(self, standard: Self(), to: encoder)
    }
}

extension Array {
    /// Encodes the fields of an object, optional ones unless they are as in `standard`.
    func encode<Root>(_ object: Root, standard: Root, to encoder: any Encoder) throws where Element == WireField<Root> {
        var container = encoder.container(keyedBy: FieldName.self)
        for field in self { try field.encode(object, standard, &container) }
    }
}

extension [String: FieldValue] {
    func refuse(_ name: String, with others: String...) throws(Problem) {
        for other in others where self[name] != nil && self[other] != nil {
            throw .conflict(field: name, with: other)
        }
    }

    /// Refuses an empty name in lists of cameras.
    func refuseEmptyNames(_ fields: String...) throws(Problem) {
        for field in fields where self[field]?.words.contains("") == true {
            throw .invalid(field: field, "is no list of cameras.", remedy: "Give names with a comma between two.")
        }
    }

    /// Refuses an empty filter: only `all()` selects all frames.
    func refuseEmptyFilter() throws(Problem) {
        if case .text(let text) = self["where"], text.allSatisfy(\.isWhitespace) {
            throw .invalid(field: "where", "is empty.", remedy: #"Give a filter; "all()" means all frames."#)
        }
    }
}
