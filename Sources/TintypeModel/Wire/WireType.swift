// SPDX-License-Identifier: Apache-2.0

package protocol WireType: Equatable, Encodable, Sendable {
    /// JSON Schema 2020-12 of the values.
    static var schema: OrderedJSON { get }
    static var isOptional: Bool { get }

    /// Text of a header field; nil if the value has none.
    ///
    /// Times are as in JSON. Milliseconds have at most three decimals. Lists are comma-separated (RFC 9110, 5.6.1).
    /// Maps are lists of `name=number`, as in `corrupt=1, stale=2`.
    var headerText: String? { get }
    static func value(inHeader text: String) -> Self?
    /// Value of a request's field; nil for another type, and for a type that only replies have.
    static func read(_ value: FieldValue, at path: String) throws(Problem) -> Self?
    /// Noun phrase for the values that `schema` allows in a request, as in `a whole number from 1 to 9`.
    static func noun(by schema: OrderedJSON) -> String
    /// End of a sentence about a value that ``read(_:at:)`` or the bounds in `schema` refuse, and the remedy.
    static func fault(in value: FieldValue, by schema: OrderedJSON) -> (wrong: String, remedy: String)
}

extension WireType {
    package static var isOptional: Bool { false }
    package var headerText: String? { nil }
    package static func value(inHeader text: String) -> Self? { nil }
    package static func read(_ value: FieldValue, at path: String) throws(Problem) -> Self? { nil }

    package static func noun(by schema: OrderedJSON) -> String {
        switch schema.type {
        case "boolean": "true or false"
        case "integer": "a whole number\(schema.bounds)"
        case "number": "a number\(schema.bounds)"
        case "array": "a list"
        case "string": "a text"
        default: "an object"
        }
    }

    package static func fault(in value: FieldValue, by schema: OrderedJSON) -> (wrong: String, remedy: String) {
        let noun = noun(by: schema)
        guard schema.type == "integer" || schema.type == "number" else {
            return ("has the wrong type.", "Give \(noun).")
        }
        let isQuoted = if case .text(let text) = value { Int(text) != nil } else { false }
        return ("is not \(noun).", isQuoted ? "Give such a number, without quotes." : "Give such a number.")
    }

    /// Reads the value of a request's field with the bounds of its schema; throws `invalid-request`.
    static func field(_ value: FieldValue, at path: String, by schema: OrderedJSON) throws(Problem) -> Self {
        if let result = try read(value, at: path), schema.admits(value) { return result }
        let (wrong, remedy) = fault(in: value, by: schema)
        throw .invalid(field: path, wrong, remedy: remedy)
    }
}

extension WireType where Self: FieldReadable {
    package static func read(_ value: FieldValue, at path: String) throws(Problem) -> Self? {
        try Self(field: value, at: path)
    }
}

extension WireType where Self: LosslessStringConvertible {
    package var headerText: String? { description }
    package static func value(inHeader text: String) -> Self? { Self(text) }
}

extension String: WireType { package static var schema: OrderedJSON { ["type": "string"] } }
extension Bool: WireType { package static var schema: OrderedJSON { ["type": "boolean"] } }
extension Int: WireType { package static var schema: OrderedJSON { ["type": "integer"] } }
extension Int64: WireType { package static var schema: OrderedJSON { ["type": "integer", "format": "int64"] } }
extension UInt64: WireType { package static var schema: OrderedJSON { ["type": "integer", "minimum": 0] } }
extension UInt32: WireType { package static var schema: OrderedJSON { ["type": "integer", "minimum": 0] } }
extension Double: WireType { package static var schema: OrderedJSON { ["type": "number"] } }

extension FrameID: WireType {
    package static var schema: OrderedJSON { ["type": "string", "format": "uuid"] }
    package static func noun(by schema: OrderedJSON) -> String { "the id of a frame" }
    package static func fault(in value: FieldValue, by schema: OrderedJSON) -> (wrong: String, remedy: String) {
        ("is not the id of a frame.", "Give ids as the records of frames have them.")
    }
}

extension Milliseconds: WireType {
    /// Fields that can be negative override `minimum`.
    package static var schema: OrderedJSON { ["type": "number", "minimum": 0] }
    package var headerText: String? { number == number.rounded() ? "\(Int64(number))" : "\(number)" }
    package static func value(inHeader text: String) -> Self? { Double(text).flatMap(Self.init(number:)) }
    package static func read(_ value: FieldValue, at path: String) -> Self? {
        if case .number(let number) = value { Self(number: number) } else { nil }
    }
    package static func noun(by schema: OrderedJSON) -> String { "a number of milliseconds\(schema.bounds)" }
}

extension WireType where Self: TextCodable {
    package static var schema: OrderedJSON { ["type": "string"] }
}

extension Timestamp: WireType {
    package static var schema: OrderedJSON {
        ["type": "string", "format": "date-time", "examples": ["2026-11-21T14:30:12.345678Z"]]
    }
}

extension WireType where Self: RawRepresentable & CaseIterable, RawValue == String {
    package static var schema: OrderedJSON { ["type": "string", "enum": .list(allCases.map { .text($0.rawValue) })] }
    package var headerText: String? { rawValue }
    package static func value(inHeader text: String) -> Self? { Self(rawValue: text) }
    package static func read(_ value: FieldValue, at path: String) -> Self? {
        if case .text(let word) = value { Self(rawValue: word) } else { nil }
    }
    package static func noun(by schema: OrderedJSON) -> String { "one of \(words)" }
    package static func fault(in value: FieldValue, by schema: OrderedJSON) -> (wrong: String, remedy: String) {
        let question = Spelling.question(for: value.words, by: nearest)
        return ("is not one of \(words).", question ?? "Give one of them.")
    }
}

extension Optional: WireType where Wrapped: WireType {
    /// Schema of the wrapped type: absent values are omitted, never null.
    package static var schema: OrderedJSON { Wrapped.schema }
    package static var isOptional: Bool { true }
    package var headerText: String? { self?.headerText }
    package static func value(inHeader text: String) -> Wrapped?? { Wrapped.value(inHeader: text).map(Optional.some) }
    package static func read(_ value: FieldValue, at path: String) throws(Problem) -> Wrapped?? {
        try Wrapped.read(value, at: path).map(Optional.some)
    }
    package static func noun(by schema: OrderedJSON) -> String { Wrapped.noun(by: schema) }
    package static func fault(in value: FieldValue, by schema: OrderedJSON) -> (wrong: String, remedy: String) {
        Wrapped.fault(in: value, by: schema)
    }
}

extension Array: WireType where Element: WireType {
    package static var schema: OrderedJSON { ["type": "array", "items": Element.schema] }
    /// Comma-separated members; nil for an empty list (RFC 9110, 5.6.1).
    package var headerText: String? { isEmpty ? nil : compactMap(\.headerText).joined(separator: ", ") }

    /// Nil if a member is invalid.
    package static func value(inHeader text: String) -> [Element]? {
        let members = text.split(separator: ",").map { String($0.drop { $0 == " " }) }
        let values = members.compactMap { Element.value(inHeader: $0) }
        return values.count == members.count ? values : nil
    }
    package static func read(_ value: FieldValue, at path: String) throws(Problem) -> [Element]? {
        guard case .list(let items) = value else { return nil }
        var elements: [Element] = []
        for (index, item) in items.enumerated() {
            guard let element = try Element.read(item, at: "\(path).\(index)") else { return nil }
            elements.append(element)
        }
        return elements
    }
    package static func fault(in value: FieldValue, by schema: OrderedJSON) -> (wrong: String, remedy: String) {
        guard case .list(let items) = value else {
            let items = Element.self is String.Type ? " of texts" : ", each item \(Element.noun(by: Element.schema))"
            return ("has the wrong type.", "Give a list\(items).")
        }
        if schema["items"]?["pattern"] != nil {
            return ("is not a list of at most \(StillRequest.mostTags) different tags.", StillRequest.tagRemedy)
        }
        if let most = schema.mostItems, items.count > most {
            return ("has \(items.count) items.", "Give at most \(most).")
        }
        guard let faulty = items.first(where: { (try? Element.read($0, at: "")) == .some(nil) }) else {
            return ("has an item twice.", "Give each item once.")
        }
        let (wrong, remedy) = Element.fault(in: faulty, by: Element.schema)
        return ("has an item that \(wrong)", remedy)
    }
}

extension Dictionary: WireType where Key: WireType, Value: WireType {
    /// Object with any members, or only those named by the cases of `Key`.
    package static var schema: OrderedJSON {
        let map: OrderedJSON = ["type": "object", "additionalProperties": Value.schema]
        guard let words = Key.schema["enum"] else { return map }
        return map.adding(["propertyNames": ["enum": words]])
    }

    /// Members sorted by name; nil for an empty map.
    package var headerText: String? {
        let members = map { "\($0.key.headerText ?? "")=\($0.value.headerText ?? "")" }
        return isEmpty ? nil : members.sorted().joined(separator: ", ")
    }

    /// Nil if a member is invalid or a name is repeated.
    package static func value(inHeader text: String) -> [Key: Value]? {
        var values: [Key: Value] = [:]
        for member in text.split(separator: ",") {
            let parts = member.drop { $0 == " " }.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let key = Key.value(inHeader: parts[0]),
                let value = Value.value(inHeader: parts[1]),
                values.updateValue(value, forKey: key) == nil
            else { return nil }
        }
        return values
    }
}
