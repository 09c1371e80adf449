// SPDX-License-Identifier: Apache-2.0

/// The value of a control, as it is read from a device or asked for.
///
/// In JSON a bare number, `true`, `false` or text. A wish may be given as text throughout, as in `"128"`, `"on"` or
/// `"50%"`: ``ControlDescription/resolve(_:)`` says what it means for a control.
package enum ControlValue: Hashable, WireSchema {
    /// A number: the value itself, the bits of a bitmask, or the index of a menu item.
    case integer(Int64)
    /// On or off.
    case boolean(Bool)
    /// The value of a string control, or a wish in words.
    case text(String)

    /// The wish that a person writes: a whole number is one, anything else is text.
    package init(written text: String) { self = Int64(text).map(ControlValue.integer) ?? .text(text) }

    package static let definition: OrderedJSON = [
        "description": """
        The value of a control: a number, true or false, or text. A requested value can also be text such as "50%", \
        "auto", "10ms" or the name of a menu item.
        """,
        "oneOf": [["type": "integer"], ["type": "boolean"], ["type": "string"]],
    ]
}

extension ControlValue: CustomStringConvertible {
    /// The value in words: `128`, `on`, `off` or the text itself.
    package var description: String {
        switch self {
        case .integer(let number): "\(number)"
        case .boolean(let isOn): isOn ? "on" : "off"
        case .text(let text): text
        }
    }
}

extension ControlValue: Codable {
    /// Reads a JSON number without a fraction, `true`, `false` or a string.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let isOn = try? container.decode(Bool.self) {
            self = .boolean(isOn)
        } else if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .integer(let number): try number.encode(to: encoder)
        case .boolean(let isOn): try isOn.encode(to: encoder)
        case .text(let text): try text.encode(to: encoder)
        }
    }
}
