// SPDX-License-Identifier: Apache-2.0

/// Value of a control: in JSON a number, a Boolean or a string, as in `"50%"` (``ControlDescription/resolve(_:)``).
package enum ControlValue: Hashable, Codable, WireSchema, CustomStringConvertible {
    /// Number, bits of a bitmask, or index of a menu item.
    case integer(Int64)
    case boolean(Bool)
    /// Value of a string control, or a requested value as text.
    case text(String)

    /// Value typed by a user: a whole number becomes `integer`, anything else text.
    package init(written text: String) { self = Int64(text).map(ControlValue.integer) ?? .text(text) }

    package static let definition: OrderedJSON = [
        "description": """
        The value of a control: a number, true or false, or text. A requested value can also be text such as "50%", \
        "auto", "10ms" or the name of a menu item.
        """,
        "oneOf": [["type": "integer"], ["type": "boolean"], ["type": "string"]],
    ]

    package var description: String {
        switch self {
        case .integer(let number): "\(number)"
        case .boolean(let isOn): isOn ? "on" : "off"
        case .text(let text): text
        }
    }

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
