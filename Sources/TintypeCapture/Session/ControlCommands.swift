// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeModel
internal import TintypeSystem

/// Control commands to one camera, from any thread.
///
/// A closed device is opened for them and closed again. They throw the problem of opening it, and `driver-stuck` during
/// a hung driver call; the settings are not remembered then.
package struct ControlCommands: Sendable {
    let session: CaptureSession

    /// All controls with their values, in the order of the driver.
    package func all() async throws(Problem) -> [ControlDescription] {
        try await session.ask("controls") { session, reply in
            await Self.answer(session, reply, changesControls: false) { (controls) throws(DeviceError) in
                try controls.driver.all()
            }
        }
    }

    /// Sets controls now and at each opening and stream start, until ``reset()`` or ``use(_:named:)``; returns the
    /// outcomes by name; rejected ones are not retried.
    package func set(_ settings: ControlSettings) async throws(Problem) -> [ControlOutcome] {
        try await session.ask("set controls") { session, reply in
            await Self.answer(session, reply) { (controls) throws(DeviceError) in
                try controls.driver.apply(settings)
            } remembering: {
                $0.remember($1)
            }
        }
    }

    /// Applies the profile `name` in place of configured controls and those set before; returns the outcomes by name.
    package func use(_ settings: ControlSettings, named name: String) async throws(Problem) -> [ControlOutcome] {
        try await session.ask("apply a profile") { session, reply in
            await Self.answer(session, reply) { (controls) throws(DeviceError) in
                let outcomes = try controls.driver.apply(settings)
                controls.report(unfulfilled: outcomes)
                return outcomes
            } remembering: { state, _ in
                state.use((name, settings))
            }
        }
    }

    /// Resets all controls to their defaults, then applies the configured ones, forgetting those set by command;
    /// returns the outcome of each changed control, by name.
    package func reset() async throws(Problem) -> [ControlOutcome] {
        try await session.ask("reset controls") { session, reply in
            let wishes = session.controls.configured
            await Self.answer(session, reply) { (controls) throws(DeviceError) in
                let restored = try controls.driver.restoreDefaults()
                let outcomes = try controls.driver.apply(wishes)
                controls.report(unfulfilled: outcomes)
                let names = Set(outcomes.map(\.name))
                return (restored.filter { !names.contains($0.name) } + outcomes).sorted { $0.name < $1.name }
            } remembering: { state, _ in
                state.use(nil)
            }
        }
    }

    /// Runs `body` with the device's controls on the camera's thread; remembers the change only if the client receives
    /// the answer, so that one told of a failure does not find it applied at the next opening.
    private static func answer<Value: Sendable>(
        _ session: isolated SessionLoop,
        _ reply: Reply<Value>,
        changesControls: Bool = true,
        _ body: @escaping @Sendable (ControlWatch) throws(DeviceError) -> Value,
        remembering remember: (inout ControlState, Value) -> Void = { _, _ in }
    ) async {
        guard reply.isAwaited else { return }
        let (before, wishes) = (session.controls, session.controls.wishes)
        do throws(DeviceError) {
            let value = try await session.onThread { (worker) throws(DeviceError) -> Value? in
                // A driver call may have hung before this.
                guard reply.isAwaited else { return nil }
                return try worker.withControls(keeping: wishes, changesThem: changesControls, body)
            }
            guard let value else { return }
            remember(&session.controls, value)
            publishProfile(session)
            guard !reply.resolve(.success(value)) else { return }
            session.controls = before
            publishProfile(session)
        } catch {
            reply.resolve(.failure(error.problem))
        }
    }

    private static func publishProfile(_ session: isolated SessionLoop) {
        let name = session.controls.profile?.name
        session.context.published.updateControls { $0.profile = name }
    }
}

struct ControlState {
    var configured: ControlSettings
    /// Profile applied by command, in place of the configured controls.
    private(set) var profile: (name: String, settings: ControlSettings)?
    /// Settings made by command since, which take precedence.
    private(set) var running = ControlSettings()

    var wishes: ControlSettings { (profile?.settings ?? configured).merging(running) }

    /// Replaces the configured settings by a profile, or restores them if nil; forgets settings made by command.
    mutating func use(_ profile: (name: String, settings: ControlSettings)?) {
        self.profile = profile
        running = ControlSettings()
    }

    /// Remembers lasting settings made by command, without rejected ones and button controls.
    mutating func remember(_ outcomes: [ControlOutcome]) {
        var kept = ControlSettings()
        for outcome in outcomes where outcome.isFulfilled && outcome.value != nil {
            kept.values[outcome.name] = outcome.asked
        }
        running = running.merging(kept)
    }
}
