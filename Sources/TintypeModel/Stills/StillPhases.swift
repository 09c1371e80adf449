// SPDX-License-Identifier: Apache-2.0

/// Duration of each phase of a still; 0 for a skipped phase.
package struct StillPhases: Equatable, Codable, WireObject {
    package var open = Milliseconds(.zero)
    package var settle = Milliseconds(.zero)
    package var wait = Milliseconds(.zero)
    package var encode = Milliseconds(.zero)
    package var store = Milliseconds(.zero)

    package init() {}

    package static var schemaName: String? { nil }
    package static let summary = "The time that each part of the work took."
    package static let fields: [Field] = [
        Field("open", \.open, "Opening and configuring the device."),
        Field("settle", \.settle, "Waiting for exposure and white balance."),
        Field("wait", \.wait, "Waiting for the frame."),
        Field("encode", \.encode, "Encoding or copying."),
        Field("store", \.store, "Storing."),
    ]

    /// Phases in order, as in `open=1, settle=2.5, wait=0, encode=3, store=0`.
    package var headerText: String? {
        Self.fields.map { "\($0.name)=\($0.headerText(self) ?? "")" }.joined(separator: ", ")
    }

    package static func value(inHeader text: String) -> StillPhases? {
        guard let members = [String: String].value(inHeader: text) else { return nil }
        var phases = StillPhases()
        for field in fields {
            guard let member = members[field.name], field.read(member, &phases) else { return nil }
        }
        return phases
    }
}
