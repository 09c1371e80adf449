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
        try await ask("controls", patience: Self.longPatience) { .controls(.list($0)) }
    }

    /// Sets controls now, and again whenever the device is opened or its stream starts, until ``resetControls()`` or
    /// ``useControls(_:named:)``.
    ///
    /// Returns what became of each wish, by name; what was not fulfilled is not tried again.
    package nonisolated func setControls(_ settings: ControlSettings) async throws(Problem) -> [ControlOutcome] {
        try await ask("set controls", patience: Self.longPatience) { .controls(.set(settings, $0)) }
    }

    /// Takes `settings`, a profile called `name`, in place of what the configuration wishes and of what was set before.
    ///
    /// Returns what became of each wish, by name.
    package nonisolated func useControls(
        _ settings: ControlSettings,
        named name: String
    ) async throws(Problem) -> [ControlOutcome] {
        try await ask("apply a profile", patience: Self.longPatience) {
            .controls(.use(name: name, settings, $0))
        }
    }

    /// Gives every control its default, and then what the configuration wishes; what was set by command is forgotten.
    ///
    /// Returns what became of each that was changed, by name.
    package nonisolated func resetControls() async throws(Problem) -> [ControlOutcome] {
        try await ask("reset controls", patience: Self.longPatience) { .controls(.reset($0)) }
    }

    // MARK: - On the session's thread

    func run(_ command: ControlCommand) {
        switch command {
        case .list(let reply):
            answer(reply, changing: false) { (controls) throws(DeviceError) in try controls.all() }
        case .set(let settings, let reply):
            answer(reply) { [self] (controls) throws(DeviceError) in
                let outcomes = try controls.apply(settings)
                controlState.remember(settings, outcomes)
                return outcomes
            }
        case .use(let name, let settings, let reply):
            answer(reply) { [self] (controls) throws(DeviceError) in
                let outcomes = try controls.apply(settings)
                controlState.use(name, settings)
                report(unfulfilled: outcomes)
                return outcomes
            }
        case .reset(let reply):
            answer(reply) { [self] (controls) throws(DeviceError) in
                let restored = try controls.restoreDefaults()
                controlState.reset()
                let outcomes = try controls.apply(controlState.wishes)
                report(unfulfilled: outcomes)
                let names = Set(outcomes.map(\.name))
                return (restored.filter { !names.contains($0.name) } + outcomes).sorted { $0.name < $1.name }
            }
        }
    }

    private func withDeviceOpened<Value>(
        _ body: (DeviceControls) throws(DeviceError) -> Value
    ) throws(DeviceError) -> Value {
        let device = try open(calls)
        // Cameras forget what was set when they are closed: what is asked about is what the next picture has.
        try keepControls(of: device)
        return try body(DeviceControls(of: device))
    }

    /// Answers with what `body` makes of the device's controls.
    ///
    /// What it remembers is forgotten where it fails, and where the answer was given up meanwhile: a client that was
    /// told that it failed must not find it done at the next opening. Where it is `changing` controls, frames settle
    /// again.
    private func answer<Value>(
        _ reply: Reply<Value>,
        changing changes: Bool = true,
        _ body: (DeviceControls) throws(DeviceError) -> Value
    ) {
        guard reply.isAwaited else { return }
        let before = controlState
        do throws(DeviceError) {
            let value: Value
            if let stream = phase.stream, let device = stream.device {
                value = try body(DeviceControls(of: device))
                if changes { restartSettling() }
                try refreshKnownControls(of: stream, device)
                try readShutter(of: device)
            } else {
                // Closed again before anybody is told.
                value = try withDeviceOpened(body)
            }
            publishControls()
            guard !reply.resolve(.success(value)) else { return }
            controlState.takeWishes(of: before)
            publishControls()
        } catch {
            controlState.takeWishes(of: before)
            if hub.snapshot.controls != nil { publishControls() }
            reply.resolve(.failure(error.problem))
            if phase.stream != nil, case .disconnected = error { interrupt(error) }
        }
    }
}
