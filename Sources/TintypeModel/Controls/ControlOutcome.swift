// SPDX-License-Identifier: Apache-2.0

/// What became of one wish for a control.
package struct ControlOutcome: Equatable, Codable, WireObject {
    package var name: String
    package var asked: ControlValue?
    package var value: ControlValue?
    package var valueName: String?
    package var result: Result
    package var detail: String?

    /// What became of a wish.
    package enum Result: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        /// The device has it.
        case applied
        /// The device has the nearest value that the control can have.
        case clamped
        /// The driver took it, and read back it is something else.
        case differs
        /// It would have no effect now, and was not set: its automatic is on.
        case inactive
        /// The control can only be read.
        case readOnly
        /// The value means nothing for this control, or the driver refused it.
        case refused
        /// The device has no such control.
        case unknown
    }

    /// An outcome of these parts.
    package init(
        name: String,
        asked: ControlValue? = nil,
        value: ControlValue? = nil,
        result: Result,
        detail: String? = nil
    ) {
        self.name = name
        self.asked = asked
        self.value = value
        self.result = result
        self.detail = detail
    }

    /// Whether the device now has what was asked for, or what comes nearest.
    package var isFulfilled: Bool { result == .applied || result == .clamped }

    package static let summary = "The outcome of one requested value."
    package static let fields: [Field] = [
        Field("name", \.name, "The control, or the name that was given for it."),
        Field("asked", \.asked, "The requested value; missing at a reset to the default."),
        Field(
            "value",
            \.value,
            "The value that was read from the device afterwards; missing if it was not or cannot be read."
        ),
        Field("valueName", \.valueName, "The name of that value in the control's menu; missing if it has none."),
        Field(
            "result",
            \.result,
            "The result. With applied and clamped the value was set; with the others it was not."
        ),
        Field("detail", \.detail, "The reason and the remedy."),
    ]
}

/// The reply to every request that sets controls.
package struct ControlOutcomeList: Equatable, Codable, WireObject {
    package var outcomes: [ControlOutcome]

    /// A list of `outcomes`.
    package init(outcomes: [ControlOutcome]) { self.outcomes = outcomes }

    package static let summary = "The outcomes of the requested values."
    package static let fields: [Field] = [Field("outcomes", \.outcomes, "One for each requested value, by name.")]
}
