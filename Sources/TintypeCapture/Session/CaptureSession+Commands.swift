// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
package import TintypeModel
internal import TintypeThreads

/// What anybody may ask of a session, on any thread. Nothing here awaits the session itself: an answer that does not
/// come is a problem: `driver-stuck` while a driver call hangs, `stopping` once the session ends, `deadline-exceeded`
/// after ``limit``.
extension CaptureSession {
    /// Opens the device and keeps it open until ``stop()``.
    ///
    /// Returns the granted format once frames are on their way.
    package nonisolated func start() async throws(Problem) -> CaptureFormat {
        try await ask("start", patience: nil) { .start($0) }
    }

    /// Ends the stream and closes the device, whatever its warmth and its holds, until a client asks again.
    ///
    /// Answered within a second, also while a driver call hangs: with `driver-stuck` then, and the device is closed when
    /// the call returns.
    package nonisolated func stop() async throws(Problem) {
        _ = try await ask("stop", patience: Self.shortPatience, isKept: true) { .stop($0) }
    }

    /// Changes the configuration, whole or not at all: where the device refuses the new one, the old one is back.
    ///
    /// A device that is closed is opened without a stream to see what it grants, and closed again. Throws
    /// `configuration-conflict` where `revision` is given and is not that of the configuration. A driver call that hangs
    /// is answered within a second with `driver-stuck`, and nothing is changed then.
    package nonisolated func apply(
        _ configuration: SessionConfiguration,
        ifRevision revision: Int? = nil
    ) async throws(Problem) -> ConfigurationReport {
        try await ask("apply", patience: Self.shortPatience) { .apply(configuration, ifRevision: revision, $0) }
    }

    /// What the device offers; opens it for this if it is closed, and closes it again.
    package nonisolated func formats() async throws(Problem) -> [FormatDescription] {
        try await ask("formats", patience: Self.longPatience) { .formats($0) }
    }

    /// Closes the device and ends the thread.
    ///
    /// Returns whether that was done within `limit`; a thread that hangs in a driver is left behind.
    package nonisolated func end(within limit: Duration) async -> Bool {
        // At once, also while a driver call hangs: clients are answered before the daemon leaves.
        let stopping = Problem(
            .stopping,
            "The daemon is stopping.",
            remedy: "Ask again once it runs.",
            retryAfter: .seconds(2)
        )
        hub.close(stopping)
        refuseAsked(stopping)
        let reply = Reply<Bool>()
        post(.end(reply))
        return (try? await reply.value(until: .now() + limit, otherwise: overdue("end"))) ?? false
    }

    // MARK: - On the session's thread

    func runCommands() {
        let list = commands.withLock { list in
            defer { list.removeAll() }
            return list
        }
        // Those after the end are answered by the closed hub: nothing may open the device again.
        for command in list where !phase.hasEnded { run(command) }
    }

    private func run(_ command: SessionCommand) {
        switch command {
        case .start(let reply): start(reply)
        case .stop(let reply): stop(reply)
        case .hold(let request, let stops, let reply): hold(request, ifStopped: stops, reply)
        case .release(let request, let reply): release(request, reply)
        case .apply(let configuration, let revision, let reply): apply(configuration, ifRevision: revision, reply)
        case .controls(let command): run(command)
        case .formats(let reply): listFormats(reply)
        case .retryNow: attemptAtOnce()
        case .end(let reply):
            enter(.ends)
            hub.endStates()
            thread.stop()
            reply.resolve(.success(true))
        }
    }

    private func listFormats(_ reply: Reply<[FormatDescription]>) {
        guard reply.isAwaited else { return }
        do throws(DeviceError) {
            reply.resolve(.success(try offeredFormats()))
        } catch {
            reply.resolve(.failure(error.problem))
        }
    }

    /// Opens the device for this if it is closed; then it is closed again before anybody is answered.
    private func offeredFormats() throws(DeviceError) -> [FormatDescription] {
        if let device = phase.stream?.device { return try device.formats() }
        let device = try open(calls)
        if configuration.input.input != nil { _ = try device.selectInput(configuration.input) }
        return try device.formats()
    }
}
