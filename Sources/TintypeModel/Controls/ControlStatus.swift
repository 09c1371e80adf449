// SPDX-License-Identifier: Apache-2.0

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
