// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeModel
internal import TintypeSystem

/// What anybody may ask of a camera's controls, on any thread.
///
/// A device that is closed is opened for it and closed again. Each throws why the device cannot be opened, and a
/// problem with code `driver-stuck` once a driver call hangs; what was wished is not remembered then.
extension CaptureSession {
    /// Every control with its value, in the driver's order.
    package nonisolated func controls() async throws(Problem) -> [ControlDescription] {
        try await ask("controls") { session, reply in
            await session.answer(reply, changesControls: false) { (_, controls) throws(DeviceError) in
                try controls.all()
            }
        }
    }

    /// Sets controls now, and again whenever the device is opened or its stream starts, until ``resetControls()`` or
    /// ``useControls(_:named:)``.
    ///
    /// Returns what became of each wish, by name; what was not fulfilled is not tried again.
    package nonisolated func setControls(_ settings: ControlSettings) async throws(Problem) -> [ControlOutcome] {
        try await ask("set controls") { session, reply in
            await session.answer(reply) { (_, controls) throws(DeviceError) in
                try controls.apply(settings)
            } remembering: {
                $0.remember($1)
            }
        }
    }

    /// Takes `settings`, a profile called `name`, in place of what the configuration wishes and of what was set before.
    ///
    /// Returns what became of each wish, by name.
    package nonisolated func useControls(
        _ settings: ControlSettings,
        named name: String
    ) async throws(Problem) -> [ControlOutcome] {
        try await ask("apply a profile") { session, reply in
            await session.answer(reply) { (side, controls) throws(DeviceError) in
                let outcomes = try controls.apply(settings)
                side.report(unfulfilled: outcomes)
                return outcomes
            } remembering: { state, _ in
                state.use((name, settings))
            }
        }
    }

    /// Gives every control its default, and then what the configuration wishes; what was set by command is forgotten.
    ///
    /// Returns what became of each that was changed, by name.
    package nonisolated func resetControls() async throws(Problem) -> [ControlOutcome] {
        try await ask("reset controls") { session, reply in
            let wishes = session.controlState.configured
            await session.answer(reply) { (side, controls) throws(DeviceError) in
                let restored = try controls.restoreDefaults()
                let outcomes = try controls.apply(wishes)
                side.report(unfulfilled: outcomes)
                let names = Set(outcomes.map(\.name))
                return (restored.filter { !names.contains($0.name) } + outcomes).sorted { $0.name < $1.name }
            } remembering: { state, _ in
                state.use(nil)
            }
        }
    }

    // MARK: - In the session's turn

    /// Answers with what `body` makes of the device's controls, on the camera's thread.
    ///
    /// What comes of it is remembered only where the answer is received: a client that was told that it failed must not
    /// find it done at the next opening.
    private func answer<Value: Sendable>(
        _ reply: Reply<Value>,
        changesControls: Bool = true,
        _ body: @escaping @Sendable (DeviceSide, DeviceControls) throws(DeviceError) -> Value,
        remembering remember: (inout ControlState, Value) -> Void = { _, _ in }
    ) async {
        guard reply.isAwaited else { return }
        let (before, wishes) = (controlState, controlState.wishes)
        do throws(DeviceError) {
            let value = try await onThread { (side) throws(DeviceError) -> Value? in
                // A call may have hung before it.
                guard reply.isAwaited else { return nil }
                return try side.withControls(keeping: wishes, changesThem: changesControls, body)
            }
            guard let value else { return }
            remember(&controlState, value)
            publishProfile()
            guard !reply.resolve(.success(value)) else { return }
            controlState = before
            publishProfile()
        } catch {
            reply.resolve(.failure(error.problem))
        }
    }

    /// Publishes the profile that was applied.
    private func publishProfile() {
        context.publishControls { [name = controlState.profile?.name] in $0.profile = name }
    }
}

/// What a session wants of its camera's controls.
struct ControlState {
    /// What the configuration wishes.
    var configured: ControlSettings
    /// The profile that was applied by command, in place of what the configuration wishes.
    private(set) var profile: (name: String, settings: ControlSettings)?
    /// What was set by command since; it wins.
    private(set) var running = ControlSettings()

    /// What the device is to have.
    var wishes: ControlSettings { (profile?.settings ?? configured).merging(running) }

    /// Takes a profile in place of what the configuration wishes and of what was set by command; with none, goes back to
    /// what the configuration wishes.
    mutating func use(_ profile: (name: String, settings: ControlSettings)?) {
        self.profile = profile
        running = ControlSettings()
    }

    /// Remembers what was set by command and lasts: not what was refused, and not what a button did.
    mutating func remember(_ outcomes: [ControlOutcome]) {
        var kept = ControlSettings()
        for outcome in outcomes where outcome.isFulfilled && outcome.value != nil {
            kept.values[outcome.name] = outcome.asked
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
    /// What reads those that a ``CameraReading`` is made of; nil while the device has not been asked for them.
    var reader: ControlReader?
    /// When they were last read.
    var readAt = MonotonicTime(nanoseconds: .min / 2)
}
