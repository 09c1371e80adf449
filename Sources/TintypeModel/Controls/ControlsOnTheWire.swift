// SPDX-License-Identifier: Apache-2.0

/// The reply to `GET /v1/cameras/{camera}/controls`.
package struct ControlList: Hashable, Sendable, Codable {
    package var controls: [ControlDescription]

    /// A list of `controls`.
    package init(controls: [ControlDescription]) { self.controls = controls }
}

/// The reply to whatever sets controls.
package struct ControlOutcomeList: Hashable, Sendable, Codable {
    package var outcomes: [ControlOutcome]

    /// A list of `outcomes`.
    package init(outcomes: [ControlOutcome]) { self.outcomes = outcomes }
}

/// The reply to `GET /v1/cameras/{camera}/controls/profiles`.
package struct ControlProfileList: Hashable, Sendable, Codable {
    package var profiles: [ControlProfile]

    /// A list of `profiles`.
    package init(profiles: [ControlProfile]) { self.profiles = profiles }
}

/// The reply to `GET /v1/cameras/{camera}/controls/profiles/{profile}/diff`.
package struct ControlDifferenceList: Hashable, Sendable, Codable {
    package var profile: String
    package var differences: [ControlDifference]

    /// A list of these parts.
    package init(profile: String, differences: [ControlDifference]) {
        self.profile = profile
        self.differences = differences
    }
}

extension ControlList: WireObject {
    package static let summary = "The controls of a camera."

    package static let fields: [Field] = [
        Field("controls", \.controls, "The controls in the driver's order.")
    ]
}

extension ControlOutcomeList: WireObject {
    package static let summary = "The outcomes of the requested values."

    package static let fields: [Field] = [
        Field("outcomes", \.outcomes, "One for each requested value, by name.")
    ]
}

extension ControlProfileList: WireObject {
    package static let summary = "The profiles of a camera."

    package static let fields: [Field] = [
        Field("profiles", \.profiles, "The profiles by name.")
    ]
}

extension ControlDifferenceList: WireObject {
    package static let summary = "The differences between a camera and a profile."

    package static let fields: [Field] = [
        Field("profile", \.profile, "The name of the profile."),
        Field("differences", \.differences, "The differences, by name; empty if the camera matches the profile."),
    ]
}
