// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

/// What a session wants of its camera's controls.
struct ControlState {
    /// What the configuration wishes.
    private(set) var configured: ControlSettings
    /// The profile that was applied by command, in place of what the configuration wishes.
    private(set) var profile: (name: String, settings: ControlSettings)?
    /// What was set by command since; it wins.
    private(set) var running = ControlSettings()

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

    /// Remembers what was set by command and lasts: not what was refused, and not what a button did.
    mutating func remember(_ settings: ControlSettings, _ outcomes: [ControlOutcome]) {
        var kept = ControlSettings()
        for outcome in outcomes where outcome.isFulfilled && outcome.value != nil {
            guard let asked = outcome.asked else { continue }
            kept.values[outcome.name] = asked
        }
        running = running.merging(kept)
    }
}

/// The cover of a camera's lens, where the camera tells of it.
struct PrivacyShutter {
    /// Whether it is closed; false where the camera has none.
    private(set) var isClosed = false
    /// What was exposed before this moment was behind a closed shutter.
    private(set) var opened = MonotonicTime(nanoseconds: .min)
    /// When the device was last asked.
    private var askedAt = MonotonicTime(nanoseconds: .min / 2)

    /// How often the device is asked while it is closed: not every driver tells that it was opened.
    private static let interval = Duration.seconds(1)

    /// Whether it is time to ask the device again.
    func isToBeAsked(now: MonotonicTime) -> Bool { now - askedAt >= Self.interval }

    /// The device is asked.
    mutating func ask(now: MonotonicTime) { askedAt = now }

    /// It is open or closed; returns whether that is news.
    mutating func set(closed isClosed: Bool, now: MonotonicTime) -> Bool {
        guard self.isClosed != isClosed else { return false }
        self.isClosed = isClosed
        opened = now
        return true
    }

    /// The camera has none: what a former one in its place had is over.
    mutating func forget() { isClosed = false }
}

/// What is known of the controls of a device that is open.
struct ControlWatch {
    /// The controls as they were last seen, by number; nil while they are not watched.
    var known: [UInt32: ControlDescription]?
    /// Those of the device's controls that tell of its exposure; nil while it has not been asked for them.
    var exposureControls: [ControlDescription]?
    /// When the device was last asked for its exposure.
    var exposureReadAt = MonotonicTime(nanoseconds: .min / 2)
}
