// SPDX-License-Identifier: Apache-2.0

/// Body or query of a request, which its table of fields reads and encodes.
package protocol WireRequest: FieldReadable, Encodable, Sendable {
    static var fields: [WireField<Self>] { get }
    /// Parameters of the query; by default ``fields``.
    static var queryFields: [WireField<Self>] { get }
    /// Request without any field.
    init()
    /// Checks what the table does not: fields that exclude each other, for example.
    mutating func check(_ given: [String: FieldValue]) throws(Problem)
}

extension WireRequest {
    package static var queryFields: [WireField<Self>] { fields }
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
        try self.init([String: FieldValue](query: parameters, of: Self.queryFields), of: Self.queryFields)
    }

    init(_ given: [String: FieldValue], of fields: [WireField<Self>], at path: String = "") throws(Problem) {
        self.init()
        for field in fields {
            let place = FieldPath.joined(path, field.name)
            if let value = given[field.name] {
                try field.readValue(value, place, &self)
            } else if field.isRequired {
                let what = field.description.prefix(1).lowercased() + field.description.dropFirst()
                throw .invalid(field: place, "is missing.", remedy: "Give it: \(what)")
            }
        }
        try check(given)
    }

    package func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }

    func encodeFields(to encoder: any Encoder, without omitted: Set<String> = []) throws {
        var container = encoder.container(keyedBy: FieldName.self)
        let standard = Self()
        for field in Self.fields where !omitted.contains(field.name) { try field.encode(self, standard, &container) }
    }
}

extension [String: FieldValue] {
    /// Refuses the field `name` together with any of `others`.
    func refuse(_ name: String, with others: String...) throws(Problem) {
        for other in others where self[name] != nil && self[other] != nil {
            throw .conflict(field: name, with: other)
        }
    }

    /// Refuses an empty filter: only `all()` selects all frames.
    func refuseEmptyFilter() throws(Problem) {
        if case .text(let text) = self["where"], text.allSatisfy(\.isWhitespace) {
            throw .invalid(field: "where", "is empty.", remedy: #"Give a filter; "all()" means all frames."#)
        }
    }
}
