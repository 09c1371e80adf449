// SPDX-License-Identifier: Apache-2.0

/// What a session knows of its camera's controls without asking the device.
package struct ControlStatus: Hashable, Sendable, Codable {
    /// The name of the profile that was applied by command; nil while the configuration's own values hold.
    package var profile: String?
    /// Wishes that the device did not fulfil when they were last applied, by name.
    package var unfulfilled: [ControlOutcome] = []
    /// Changes that another program, or the camera itself, has made since the daemon started.
    package var foreignChanges: UInt64 = 0
    /// The last of them.
    package var lastForeignChange: ControlChange?
    /// Whether the privacy shutter is closed; nil where the camera tells of none.
    package var isShutterClosed: Bool?

    /// Nothing is known.
    package init() {}
}

/// A change of a control that was not made through the daemon.
package struct ControlChange: Hashable, Sendable, Codable {
    /// The name of the control.
    package var name: String
    /// What it was; nil where that is not known.
    package var from: ControlValue?
    /// What it is.
    package var to: ControlValue
    /// When that was noticed.
    package var at: Timestamp

    /// A change of these parts.
    package init(name: String, from: ControlValue?, to: ControlValue, at: Timestamp) {
        self.name = name
        self.from = from
        self.to = to
        self.at = at
    }
}
