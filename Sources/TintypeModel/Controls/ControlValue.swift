// SPDX-License-Identifier: Apache-2.0

/// Value of a control: in JSON a number, a Boolean or a string, as in `"50%"` (``ControlDescription/resolve(_:)``).
package enum ControlValue: Hashable, Codable, WireSchema, CustomStringConvertible {
    /// Number, bits of a bitmask, or index of a menu item.
    case integer(Int64)
    case boolean(Bool)
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

/// Value type of a control (`enum v4l2_ctrl_type`).
package enum ControlType: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    case integer, integer64, boolean
    /// Item of a list of names.
    case menu
    /// Item of a list of integers.
    case integerMenu
    case bitmask
    /// Action without a value, triggered by writing.
    case button
    case string
    /// Array or structure: listed, but neither read nor set.
    case compound
}

/// Flags of a control (`V4L2_CTRL_FLAG_*`).
package enum ControlFlag: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Permanently disabled; every write fails.
    case disabled
    /// Locked by another program or by streaming.
    case grabbed
    case readOnly
    case writeOnly
    /// A write may change ranges, flags or values of other controls.
    case update
    /// Without effect in the current state of the device, such as a manual value while the automatic mode is on.
    case inactive
    /// The value changes by itself.
    case volatile
    /// A write has an effect even if the value is unchanged.
    case executeOnWrite
    /// A write may change the buffer size.
    case modifyLayout
}

/// Requested control values by name: body of `PATCH …/controls`, and the contents of a profile.
package struct ControlSettings: Hashable, Codable, WireSchema {
    /// Keyed by the names as given by the client.
    package var values: [String: ControlValue]
    package init(_ values: [String: ControlValue] = [:]) { self.values = values }
    package var isEmpty: Bool { values.isEmpty }

    /// Adds `others`, which override values for the same control, however its name is spelled.
    package func merging(_ others: ControlSettings) -> ControlSettings {
        let newer = Set(others.values.keys.map(Self.identity))
        let kept = values.filter { !newer.contains(Self.identity($0.key)) }
        return ControlSettings(kept.merging(others.values) { $1 })
    }

    private static func identity(_ name: String) -> String {
        let key = ControlName.key(of: name)
        return ControlNumber.olderNames[key].map { "\($0)" } ?? key
    }

    package static let definition: OrderedJSON = [
        "type": "object",
        "description": """
        The requested values of controls, by name: the control's own name, the name that another version of Linux gives it, \
        or its number as in "0x00980900".
        """,
        "additionalProperties": ControlValue.schema,
    ]

    /// Decodes numbers, Booleans and strings; throws `invalid-request` with the field of any other value.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: FieldName.self)
        values = [:]
        for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            guard let value = try? container.decode(ControlValue.self, forKey: key) else {
                let remedy = "Give one of these, such as 128, true or \"50%\"."
                let wrong = "is neither a whole number, true, false nor text."
                throw Problem.invalid(field: key.stringValue, wrong, remedy: remedy)
            }
            values[key.stringValue] = value
        }
    }

    package func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}
