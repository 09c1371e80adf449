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
        case clamped
        /// The driver accepted the value, but a different one was read back.
        case differs
        case inactive
        case readOnly
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

package struct ControlOutcomeList: Equatable, Codable, WireObject {
    package var outcomes: [ControlOutcome]
    package init(outcomes: [ControlOutcome]) { self.outcomes = outcomes }
    package static let summary = "The outcomes of the requested values."
    package static let fields: [Field] = [Field("outcomes", \.outcomes, "One for each requested value, by name.")]
}

package struct ControlStatus: Equatable, Codable, WireObject {
    package var profile: String?
    package var unfulfilled: [ControlOutcome] = []
    package var foreignChanges: UInt64 = 0
    package var lastForeignChange: ControlChange?
    package var isShutterClosed: Bool?
    package init() {}
    package static let summary = "The status of a camera's controls, known without asking the camera."
    package static let fields: [Field] = [
        Field("profile", \.profile, "The profile applied by command; missing while configured values are in force."),
        Field("unfulfilled", \.unfulfilled, "The requested values that were not set when they were last applied."),
        Field("foreignChanges", \.foreignChanges, "Changes by other programs or the camera since the daemon started."),
        Field("lastForeignChange", \.lastForeignChange, "The last of these changes."),
        Field("isShutterClosed", \.isShutterClosed, "Whether the privacy shutter is closed; missing if there is none."),
    ]
}

package struct ControlChange: Equatable, Codable, WireObject {
    package var name: String
    package var from: ControlValue?
    package var to: ControlValue
    package var at: Timestamp

    package init(name: String, from: ControlValue?, to: ControlValue, at: Timestamp) {
        (self.name, self.from, self.to, self.at) = (name, from, to, at)
    }

    package static let summary = "A change of a control that was not made through the daemon."
    package static let fields: [Field] = [
        Field("name", \.name, "The control."),
        Field("from", \.from, "The old value; missing where it is not known."),
        Field("to", \.to, "The new value."),
        Field("at", \.at, "The time at which the change was noticed."),
    ]
}

package struct ControlProfile: Hashable, Codable, WireObject {
    /// Valid by ``CameraName/isValid(_:)``, except for a damaged profile.
    package var name: String
    package var source: Source
    package var controls: ControlSettings
    package var damage: String?

    package enum Source: String, Hashable, Sendable, Codable, CaseIterable, WireType {
        case configuration
        case saved
    }

    package init(name: String, source: Source, controls: ControlSettings, damage: String? = nil) {
        (self.name, self.source, self.controls, self.damage) = (name, source, controls, damage)
    }

    package static let summary = "A named set of values for controls."
    package static let fields: [Field] = [
        Field("name", \.name, "1 to 64 of a-z, 0-9, \".\", \"_\" and \"-\"; any other name if it is damaged."),
        Field("source", \.source, "The source; a profile of the configuration cannot be changed by command."),
        Field("controls", \.controls, "The values of the profile."),
        Field("damage", \.damage, "Why the saved profile is unusable, and the remedy; missing if usable."),
    ]
}

extension ControlSettings {
    /// Current values for a saved profile: all settable controls except the privacy shutter.
    package init(of controls: [ControlDescription]) {
        let settable = controls.filter { $0.isSettable && $0.id != ControlNumber.privacy }
        let values = settable.compactMap { control in control.value.map { (control.name, $0) } }
        self.init(Dictionary(values, uniquingKeysWith: { first, _ in first }))
    }

    /// Controls whose value differs from the settings, sorted by name.
    package func differences(from controls: [ControlDescription]) -> [ControlDifference] {
        values.sorted { $0.key < $1.key }.compactMap { name, wish in
            guard let control = controls.control(named: name) else {
                return ControlDifference(name: name, wanted: wish, detail: "The device has no such control.")
            }
            let wanted: ControlValue
            do throws(ControlRefusal) {
                wanted = try control.resolve(wish).value
            } catch {
                return ControlDifference(name: name, wanted: wish, value: control.value, detail: error.reason)
            }
            if control.type == .button || control.has(.writeOnly) || control.value == wanted { return nil }
            let detail = control.has(.inactive) ? "It has no effect now: its automatic is on." : nil
            return ControlDifference(name: control.name, wanted: wanted, value: control.value, detail: detail)
        }
    }
}

package struct ControlDifference: Equatable, Codable, WireObject {
    package var name: String
    package var wanted: ControlValue
    package var value: ControlValue?
    package var detail: String?
    package static let summary = "A difference between a control and a profile."
    package static let fields: [Field] = [
        Field("name", \.name, "The control."),
        Field("wanted", \.wanted, "The value in the profile."),
        Field("value", \.value, "The value in the device; missing if it cannot be read."),
        Field("detail", \.detail, "A remark on the difference."),
    ]
}

package struct ControlProfileList: Equatable, Codable, WireObject {
    package var profiles: [ControlProfile]
    package init(profiles: [ControlProfile]) { self.profiles = profiles }
    package static let summary = "The profiles of a camera."
    package static let fields: [Field] = [Field("profiles", \.profiles, "The profiles by name.")]
}

package struct ControlDifferenceList: Equatable, Codable, WireObject {
    package var profile: String
    package var differences: [ControlDifference]

    package init(profile: String, differences: [ControlDifference]) {
        (self.profile, self.differences) = (profile, differences)
    }

    package static let summary = "The differences between a camera and a profile."
    package static let fields: [Field] = [
        Field("profile", \.profile, "The name of the profile."),
        Field("differences", \.differences, "The differences, by name; empty if the camera matches the profile."),
    ]
}
