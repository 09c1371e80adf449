// SPDX-License-Identifier: Apache-2.0

package struct ControlOutcome: Equatable, Codable, WireObject {
    package var name: String
    package var asked: ControlValue?
    package var value: ControlValue?
    package var valueName: String?
    package var result: Result
    package var detail: String?

    package enum Result: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        case applied
        /// The device has the nearest possible value.
        case clamped
        /// The driver accepted the value, but a different one was read back.
        case differs
        /// Not set: the control is inactive because its automatic mode is on.
        case inactive
        case readOnly
        /// The value is invalid for this control, or the driver refused it.
        case refused
        case unknown
    }

    package init(
        name: String,
        asked: ControlValue? = nil,
        value: ControlValue? = nil,
        result: Result,
        detail: String? = nil
    ) {
        (self.name, self.asked, self.value, self.result, self.detail) = (name, asked, value, result, detail)
    }

    package var isFulfilled: Bool { result == .applied || result == .clamped }

    package static let summary = "The outcome of one requested value."
    package static let fields: [Field] = [
        Field("name", \.name, "The control, or the name that was given for it."),
        Field("asked", \.asked, "The requested value; missing at a reset to the default."),
        Field("value", \.value, "The value that was read back; missing if it was not or cannot be read."),
        Field("valueName", \.valueName, "The name of that value in the control's menu; missing if it has none."),
        Field("result", \.result, "applied, clamped: it was set. differs: another was read back. Others: not set."),
        Field("detail", \.detail, "The reason and the remedy."),
    ]
}

/// Reply to every request that sets controls.
package struct ControlOutcomeList: Equatable, Codable, WireObject {
    package var outcomes: [ControlOutcome]

    package init(outcomes: [ControlOutcome]) { self.outcomes = outcomes }

    package static let summary = "The outcomes of the requested values."
    package static let fields: [Field] = [Field("outcomes", \.outcomes, "One for each requested value, by name.")]
}
