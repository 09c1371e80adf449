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
        try await ask("start", patience: nil) { await $0.start($1) }
    }

    /// Ends the stream and closes the device, whatever its warmth and its holds, until a client asks again.
    ///
    /// Answered within a second, also while a driver call hangs: with `driver-stuck` then, and the device is closed when
    /// the call returns.
    package nonisolated func stop() async throws(Problem) {
        _ = try await ask("stop", patience: Self.shortPatience, isKept: true) { await $0.stop($1) }
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
        try await ask("apply", patience: Self.shortPatience) {
            await $0.apply(configuration, ifRevision: revision, $1)
        }
    }

    /// What the device offers; opens it for this if it is closed, and closes it again.
    package nonisolated func formats() async throws(Problem) -> [FormatDescription] {
        try await ask("formats", patience: Self.longPatience) { await $0.listFormats($1) }
    }

    /// Closes the device and ends the session and its camera's thread.
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
        context.inbox.refuseAll(stopping)
        let reply = Reply<Bool>()
        context.inbox.post { await $0.finish(reply) }
        return (try? await reply.value(until: .now() + limit, otherwise: overdue("end"))) ?? false
    }

    // MARK: - In the session's turn

    func runCommands() async {
        // Those after the end are answered by the closed hub: nothing may open the device again.
        for command in context.inbox.takeCommands() where !phase.hasEnded { await command(self) }
    }

    private func finish(_ reply: Reply<Bool>) async {
        _ = await thread.run { $0.close() }
        enter(.ends)
        hub.endStates()
        thread.stop()
        reply.resolve(.success(true))
    }

    /// Waits until the camera's thread has done all that it was given, and hears what it has told by then.
    ///
    /// Returns whether a client still waits for its answer: a call may have hung for longer than it does.
    func catchUp<Value>(for reply: Reply<Value>) async -> Bool {
        _ = await thread.run { _ in }
        await hear(context.inbox.takeEvents())
        return reply.isAwaited
    }

    private func listFormats(_ reply: Reply<[FormatDescription]>) async {
        guard reply.isAwaited else { return }
        let configuration = configuration
        do throws(DeviceError) {
            let formats = try await onThread { (side) throws(DeviceError) in
                reply.isAwaited ? try side.offeredFormats(configuration) : []
            }
            reply.resolve(.success(formats))
        } catch {
            reply.resolve(.failure(error.problem))
        }
    }
}
