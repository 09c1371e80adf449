// SPDX-License-Identifier: Apache-2.0

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
