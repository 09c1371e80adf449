// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeModel
internal import TintypeThreads

/// What anybody may ask of a camera's controls, on any thread.
///
/// A device that is closed is opened for it and closed again. Each throws why the device cannot be opened, and a
/// problem with code `driver-stuck` where no answer comes within 10 s.
extension CaptureSession {
    /// Every control with its value, in the driver's order.
    package nonisolated func controls() async throws(Problem) -> [ControlDescription] {
        try await ask("controls") { .list($0) }
    }

    /// Sets controls now, and again whenever the device is opened or its stream starts, until ``resetControls()`` or
    /// ``useControls(_:named:)``.
    ///
    /// Returns what became of each wish, by name; what was not fulfilled is not tried again.
    package nonisolated func setControls(_ settings: ControlSettings) async throws(Problem) -> [ControlOutcome] {
        try await ask("set controls") { .set(settings, $0) }
    }

    /// Takes `settings`, a profile called `name`, in place of what the configuration wishes and of what was set before.
    ///
    /// Returns what became of each wish, by name.
    package nonisolated func useControls(
        _ settings: ControlSettings,
        named name: String
    ) async throws(Problem) -> [ControlOutcome] {
        try await ask("apply a profile") { .use(name: name, settings, $0) }
    }

    /// Gives every control its default, and then what the configuration wishes; what was set by command is forgotten.
    ///
    /// Returns what became of each that was changed, by name.
    package nonisolated func resetControls() async throws(Problem) -> [ControlOutcome] {
        try await ask("reset controls") { .reset($0) }
    }

    private nonisolated func ask<Value: Sendable>(
        _ what: String,
        _ command: (Reply<Value>) -> ControlCommand
    ) async throws(Problem) -> Value {
        if let stuck = stuckProblem { throw stuck }
        let reply = Reply<Value>()
        post(.controls(command(reply)))
        return try await reply.value(until: .now() + Self.limit, otherwise: overdue(what))
    }

    // MARK: - On the session's thread

    func run(_ command: ControlCommand) {
        switch command {
        case .list(let reply):
            answer(reply) { (controls) throws(DeviceError) in try controls.all() }
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
                note(unfulfilled: outcomes)
                return outcomes
            }
        case .reset(let reply):
            answer(reply) { [self] (controls) throws(DeviceError) in
                let restored = try controls.restoreDefaults()
                controlState.reset()
                let outcomes = try controls.apply(controlState.wishes)
                note(unfulfilled: outcomes)
                let names = Set(outcomes.map(\.name))
                return (restored.filter { !names.contains($0.name) } + outcomes).sorted { $0.name < $1.name }
            }
        }
    }

    private func withDeviceOpened<Value>(
        _ body: (DeviceControls) throws(DeviceError) -> Value
    ) throws(DeviceError) -> Value {
        try body(DeviceControls(of: try open(calls)))
    }

    /// Answers with what `body` makes of the device's controls.
    private func answer<Value>(
        _ reply: Reply<Value>,
        _ body: (DeviceControls) throws(DeviceError) -> Value
    ) {
        do throws(DeviceError) {
            if let device {
                let value = try body(DeviceControls(of: device))
                try refreshKnownControls(of: device)
                try lookAtShutter(of: device)
                reply.resolve(.success(value))
            } else {
                // Closed again before anybody is told.
                let value = try withDeviceOpened(body)
                reply.resolve(.success(value))
            }
            publishControls()
        } catch {
            reply.resolve(.failure(error.problem))
            if device != nil, case .disconnected = error { interrupt(error) }
        }
    }
}
