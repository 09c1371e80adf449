// SPDX-License-Identifier: Apache-2.0

/// A type of values that go over the wire.
package protocol WireType: Sendable {
    /// What JSON has for a value of this type, as a schema of the contract (JSON Schema 2020-12).
    static var schema: OrderedJSON { get }

    /// Whether a field of this type may be left out.
    static var isOptional: Bool { get }

    /// The value in a field of a header; nil for one that has no field there.
    ///
    /// Times are as in JSON, numbers of milliseconds have at most three decimals, a list has a comma between two members
    /// (RFC 9110, 5.6.1), and a map is a list of `name=number`, as in `corrupt=1, stale=2`.
    var headerText: String? { get }

    /// Reads the value of a field of a header; nil where it cannot be read.
    static func value(inHeader text: String) -> Self?
}

extension WireType {
    package static var isOptional: Bool { false }
    /// No field: for what never stands in a header.
    package var headerText: String? { nil }
    /// Nothing is read: for what never stands in a header.
    package static func value(inHeader text: String) -> Self? { nil }
}

extension WireType where Self: LosslessStringConvertible {
    package var headerText: String? { description }
    package static func value(inHeader text: String) -> Self? { Self(text) }
}

extension String: WireType {
    package static var schema: OrderedJSON { ["type": "string"] }
}

extension Bool: WireType {
    package static var schema: OrderedJSON { ["type": "boolean"] }
}

extension Int: WireType {
    package static var schema: OrderedJSON { ["type": "integer"] }
}

extension Int64: WireType {
    package static var schema: OrderedJSON { ["type": "integer", "format": "int64"] }
}

extension UInt64: WireType {
    package static var schema: OrderedJSON { ["type": "integer", "minimum": 0] }
}

extension UInt32: WireType {
    package static var schema: OrderedJSON { ["type": "integer", "minimum": 0] }
}

extension Double: WireType {
    package static var schema: OrderedJSON { ["type": "number"] }
}

extension Milliseconds: WireType {
    /// A number of milliseconds; those that can be negative say so.
    package static var schema: OrderedJSON { ["type": "number", "minimum": 0] }

    /// A number with at most three decimals, as in JSON.
    package var headerText: String? {
        let value = (duration.millisecondCount * 1000).rounded() / 1000
        return value == value.rounded() ? "\(Int64(value))" : "\(value)"
    }

    package static func value(inHeader text: String) -> Milliseconds? {
        guard let value = Double(text), value.isFinite, abs(value) < 1e12 else { return nil }
        return Milliseconds(.microseconds(Int64((value * 1000).rounded())))
    }
}

extension WireType where Self: TextCodable {
    package static var schema: OrderedJSON { ["type": "string"] }
    package var headerText: String? { description }
    package static func value(inHeader text: String) -> Self? { Self(text) }
}

extension Timestamp: WireType {
    package static var schema: OrderedJSON {
        ["type": "string", "format": "date-time", "examples": ["2026-11-21T14:30:12.345678Z"]]
    }
}

extension FrameID: WireType {
    package static var schema: OrderedJSON { ["type": "string", "format": "uuid"] }
}

extension WireType where Self: RawRepresentable & CaseIterable, RawValue == String {
    package static var schema: OrderedJSON { ["type": "string", "enum": .list(allCases.map { .text($0.rawValue) })] }

    package var headerText: String? { rawValue }
    package static func value(inHeader text: String) -> Self? { Self(rawValue: text) }
}

extension Optional: WireType where Wrapped: WireType {
    /// The schema of a value that is there: no value is ever null.
    package static var schema: OrderedJSON { Wrapped.schema }
    package static var isOptional: Bool { true }
    package var headerText: String? { self?.headerText }

    package static func value(inHeader text: String) -> Wrapped?? { Wrapped.value(inHeader: text).map(Optional.some) }
}

extension Array: WireType where Element: WireType {
    package static var schema: OrderedJSON { ["type": "array", "items": Element.schema] }

    /// Its members; nil where there are none (RFC 9110, 5.6.1).
    package var headerText: String? { isEmpty ? nil : compactMap(\.headerText).joined(separator: ", ") }

    /// Reads the members; nil if one cannot be read.
    package static func value(inHeader text: String) -> [Element]? {
        let members = text.split(separator: ",").map { String($0.drop { $0 == " " }) }
        let values = members.compactMap { Element.value(inHeader: $0) }
        return values.count == members.count ? values : nil
    }
}

extension Dictionary: WireType where Key: WireType, Value: WireType {
    /// An object of any members, or of those whose names are words of `Key`.
    package static var schema: OrderedJSON {
        let map: OrderedJSON = ["type": "object", "additionalProperties": Value.schema]
        guard let words = Key.schema["enum"] else { return map }
        return map.adding(["propertyNames": ["enum": words]])
    }

    /// Its members by name; nil where there are none.
    package var headerText: String? {
        isEmpty
            ? nil : map { "\($0.key.headerText ?? "")=\($0.value.headerText ?? "")" }.sorted().joined(separator: ", ")
    }

    /// Reads the members; nil if one cannot be read or two have one name.
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
