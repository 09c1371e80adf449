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
    /// It may not.
    package static var isOptional: Bool { false }
    /// No field: for what never stands in a header.
    package var headerText: String? { nil }
    /// Nothing is read: for what never stands in a header.
    package static func value(inHeader text: String) -> Self? { nil }
}

extension WireType where Self: LosslessStringConvertible {
    /// Its description.
    package var headerText: String? { description }
    /// Reads its description.
    package static func value(inHeader text: String) -> Self? { Self(text) }
}

extension String: WireType {
    /// Any text.
    package static var schema: OrderedJSON { ["type": "string"] }
}

extension Bool: WireType {
    /// True or false.
    package static var schema: OrderedJSON { ["type": "boolean"] }
}

extension Int: WireType {
    /// A whole number.
    package static var schema: OrderedJSON { ["type": "integer"] }
}

extension Int64: WireType {
    /// A whole number of 64 bits.
    package static var schema: OrderedJSON { ["type": "integer", "format": "int64"] }
}

extension UInt64: WireType {
    /// A whole number that is not negative.
    package static var schema: OrderedJSON { ["type": "integer", "minimum": 0] }
}

extension UInt32: WireType {
    /// A whole number that is not negative.
    package static var schema: OrderedJSON { ["type": "integer", "minimum": 0] }
}

extension Double: WireType {
    /// A number.
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

    /// Reads a number of milliseconds.
    package static func value(inHeader text: String) -> Milliseconds? {
        guard let value = Double(text), value.isFinite, abs(value) < 1e12 else { return nil }
        return Milliseconds(.microseconds(Int64((value * 1000).rounded())))
    }
}

extension WireType where Self: TextCodable {
    /// A text.
    package static var schema: OrderedJSON { ["type": "string"] }
    /// Its text form.
    package var headerText: String? { description }
    /// Reads its text form.
    package static func value(inHeader text: String) -> Self? { Self(text) }
}

extension Timestamp: WireType {
    /// A time (RFC 3339).
    package static var schema: OrderedJSON {
        ["type": "string", "format": "date-time", "examples": ["2026-11-21T14:30:12.345678Z"]]
    }
}

extension FrameID: WireType {
    /// A UUID.
    package static var schema: OrderedJSON { ["type": "string", "format": "uuid"] }
}

extension WireType where Self: RawRepresentable & CaseIterable, RawValue == String {
    /// One of its words.
    package static var schema: OrderedJSON {
        ["type": "string", "enum": .list(allCases.map { .text($0.rawValue) })]
    }

    /// Its word.
    package var headerText: String? { rawValue }
    /// Reads its word.
    package static func value(inHeader text: String) -> Self? { Self(rawValue: text) }
}

extension Optional: WireType where Wrapped: WireType {
    /// The schema of a value that is there: no value is ever null.
    package static var schema: OrderedJSON { Wrapped.schema }
    /// It may.
    package static var isOptional: Bool { true }
    /// That of a value that is there.
    package var headerText: String? { self?.headerText }

    /// Reads a value that is there.
    package static func value(inHeader text: String) -> Wrapped?? {
        Wrapped.value(inHeader: text).map(Optional.some)
    }
}

extension Array: WireType where Element: WireType {
    /// A list.
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
