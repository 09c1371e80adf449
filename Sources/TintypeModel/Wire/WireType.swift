// SPDX-License-Identifier: Apache-2.0

package protocol WireType: Sendable {
    /// JSON Schema 2020-12 of the values.
    static var schema: OrderedJSON { get }

    static var isOptional: Bool { get }

    /// Text of a header field; nil if the value has none.
    ///
    /// Times are as in JSON. Milliseconds have at most three decimals. Lists are comma-separated (RFC 9110, 5.6.1).
    /// Maps are lists of `name=number`, as in `corrupt=1, stale=2`.
    var headerText: String? { get }

    static func value(inHeader text: String) -> Self?
}

extension WireType {
    package static var isOptional: Bool { false }
    package var headerText: String? { nil }
    package static func value(inHeader text: String) -> Self? { nil }
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
extension FrameID: WireType { package static var schema: OrderedJSON { ["type": "string", "format": "uuid"] } }

extension Milliseconds: WireType {
    /// Fields that can be negative override `minimum`.
    package static var schema: OrderedJSON { ["type": "number", "minimum": 0] }

    package var headerText: String? { number == number.rounded() ? "\(Int64(number))" : "\(number)" }
    package static func value(inHeader text: String) -> Self? { Double(text).flatMap(Self.init(number:)) }
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
}

extension Optional: WireType where Wrapped: WireType {
    /// Schema of the wrapped type: absent values are omitted, never null.
    package static var schema: OrderedJSON { Wrapped.schema }
    package static var isOptional: Bool { true }
    package var headerText: String? { self?.headerText }

    package static func value(inHeader text: String) -> Wrapped?? { Wrapped.value(inHeader: text).map(Optional.some) }
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
