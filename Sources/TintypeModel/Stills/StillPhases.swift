// SPDX-License-Identifier: Apache-2.0

/// How long each part of taking a still took; a part that was not needed is 0.
package struct StillPhases: Equatable, Codable, WireObject {
    package var open = Milliseconds(.zero)
    package var settle = Milliseconds(.zero)
    package var wait = Milliseconds(.zero)
    package var encode = Milliseconds(.zero)
    package var store = Milliseconds(.zero)

    /// No part was needed.
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

    /// The phases in their order, as in `open=1, settle=2.5, wait=0, encode=3, store=0`.
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
