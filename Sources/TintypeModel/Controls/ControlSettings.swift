// SPDX-License-Identifier: Apache-2.0

/// Values wished for controls, by name: the body of `PATCH …/controls`, and what a profile consists of.
package struct ControlSettings: Hashable, WireSchema {
    /// The wishes, by the names that they were given under.
    package var values: [String: ControlValue]

    /// Wishes by name.
    package init(_ values: [String: ControlValue] = [:]) { self.values = values }

    /// Whether nothing is wished.
    package var isEmpty: Bool { values.isEmpty }

    /// The same with `others` added; where both wish for a control, `others` win.
    ///
    /// Names that differ in spelling only are the same.
    package func merging(_ others: ControlSettings) -> ControlSettings {
        let newer = Set(others.values.keys.map(Self.identity))
        let kept = values.filter { !newer.contains(Self.identity($0.key)) }
        return ControlSettings(kept.merging(others.values) { $1 })
    }

    /// What two names of one control have in common.
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
}

extension ControlSettings: Codable {
    /// Reads a JSON object of numbers, truth values and strings.
    ///
    /// Throws ``Problem`` with code `invalid-request` that names the field for any other value.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        values = [:]
        for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            guard let value = try? container.decode(ControlValue.self, forKey: key) else {
                throw Problem.invalid(
                    field: key.stringValue,
                    "is neither a whole number, true, false nor text.",
                    remedy: "Give one of these, such as 128, true or \"50%\"."
                )
            }
            values[key.stringValue] = value
        }
    }

    package func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}

/// Any key of a JSON object.
private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
