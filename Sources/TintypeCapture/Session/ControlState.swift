// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

/// What a session wants of its camera's controls, and what it knows of them.
struct ControlState {
    /// What the configuration wishes.
    private(set) var configured: ControlSettings
    /// The profile that was applied by command, in place of what the configuration wishes.
    private(set) var profile: (name: String, settings: ControlSettings)?
    /// What was set by command since; it wins.
    private(set) var running = ControlSettings()
    /// The controls as they were last seen, by number; empty while they are not watched.
    var known: [UInt32: ControlDescription] = [:]
    /// Whether the driver tells of changes.
    var isWatching = false
    var isShutterClosed = false
    /// When the device was last asked whether its shutter is closed.
    var shutterLookedAt = MonotonicTime(nanoseconds: .min / 2)
    /// What was exposed before this moment was behind a closed shutter.
    var shutterOpened = MonotonicTime(nanoseconds: .min)
    /// Those of the device's controls that tell of its exposure; nil while it has not been asked for them.
    var exposureControls: [ControlDescription]?
    /// When the device was last asked for its exposure.
    var exposureReadAt = MonotonicTime(nanoseconds: .min / 2)
    /// What was last logged as not fulfilled.
    var lastUnfulfilled: [ControlOutcome] = []

    init(configured: ControlSettings) { self.configured = configured }

    /// What the device is to have.
    var wishes: ControlSettings { (profile?.settings ?? configured).merging(running) }

    /// Takes over what another configuration wishes.
    mutating func configure(_ settings: ControlSettings) { configured = settings }

    /// Takes a profile in place of what the configuration wishes and of what was set by command.
    mutating func use(_ name: String, _ settings: ControlSettings) {
        profile = (name, settings)
        running = ControlSettings()
    }

    /// Goes back to what the configuration wishes.
    mutating func reset() {
        profile = nil
        running = ControlSettings()
    }

    /// Goes back to what was set by command at an earlier moment.
    mutating func takeWishes(of earlier: ControlState) {
        profile = earlier.profile
        running = earlier.running
    }

    /// Remembers what was set by command and lasts: not what was refused, and not what a button did.
    mutating func remember(_ settings: ControlSettings, _ outcomes: [ControlOutcome]) {
        var kept = ControlSettings()
        for outcome in outcomes where outcome.isFulfilled && outcome.value != nil {
            guard let asked = outcome.asked else { continue }
            kept.values[outcome.name] = asked
        }
        running = running.merging(kept)
    }

    /// The device is closed: what it told holds no longer.
    mutating func forgetDevice() {
        known = [:]
        isWatching = false
        exposureControls = nil
        exposureReadAt = MonotonicTime(nanoseconds: .min / 2)
    }
}
