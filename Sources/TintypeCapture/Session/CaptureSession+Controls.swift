// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeModel
internal import TintypeThreads

/// What anybody may ask of a camera's controls, on any thread.
///
/// A device that is closed is opened for it and closed again. Each throws why the device cannot be opened, and a
/// problem with code `driver-stuck` once a driver call hangs; what was wished is not remembered then.
extension CaptureSession {
    /// Every control with its value, in the driver's order.
    package nonisolated func controls() async throws(Problem) -> [ControlDescription] {
        try await ask("controls", patience: Self.longPatience) { session, reply in
            await session.answer(reply, changesControls: false) { (_, controls) throws(DeviceError) in
                try controls.all()
            } remembering: { _, _ in
            }
        }
    }

    /// Sets controls now, and again whenever the device is opened or its stream starts, until ``resetControls()`` or
    /// ``useControls(_:named:)``.
    ///
    /// Returns what became of each wish, by name; what was not fulfilled is not tried again.
    package nonisolated func setControls(_ settings: ControlSettings) async throws(Problem) -> [ControlOutcome] {
        try await ask("set controls", patience: Self.longPatience) { session, reply in
            await session.answer(reply) { (_, controls) throws(DeviceError) in
                try controls.apply(settings)
            } remembering: { state, outcomes in
                state.remember(settings, outcomes)
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
        try await ask("apply a profile", patience: Self.longPatience) { session, reply in
            await session.answer(reply) { (side, controls) throws(DeviceError) in
                let outcomes = try controls.apply(settings)
                side.report(unfulfilled: outcomes)
                return outcomes
            } remembering: { state, _ in
                state.use(name, settings)
            }
        }
    }

    /// Gives every control its default, and then what the configuration wishes; what was set by command is forgotten.
    ///
    /// Returns what became of each that was changed, by name.
    package nonisolated func resetControls() async throws(Problem) -> [ControlOutcome] {
        try await ask("reset controls", patience: Self.longPatience) { session, reply in
            var afterwards = session.controlState
            afterwards.reset()
            let wishes = afterwards.wishes
            await session.answer(reply) { (side, controls) throws(DeviceError) in
                let restored = try controls.restoreDefaults()
                let outcomes = try controls.apply(wishes)
                side.report(unfulfilled: outcomes)
                let names = Set(outcomes.map(\.name))
                return (restored.filter { !names.contains($0.name) } + outcomes).sorted { $0.name < $1.name }
            } remembering: { state, _ in
                state.reset()
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
        remembering remember: (inout ControlState, Value) -> Void
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
