// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// Commands about the format and configuration of a camera, in the session's turn.
enum ConfigurationCommands {
    /// Changes the whole configuration or nothing; `revision` is the expected current revision, nil for any.
    static func apply(
        _ session: isolated SessionLoop,
        _ new: SessionConfiguration,
        ifRevision revision: Int?,
        _ reply: Reply<ConfigurationReport>
    ) async {
        // A client that was told of a failure must not find the change made.
        guard await session.catchUp(for: reply) else { return }
        let (old, published) = (session.configuration, session.context.published)
        guard revision == nil || revision == published.snapshot.revision else {
            let problem = Problem(
                .configurationConflict,
                "The configuration of \(session.context.name) has changed: its revision is \(published.snapshot.revision).",
                remedy: "Read the configuration again, and apply the change to that."
            )
            reply.resolve(.failure(problem))
            return
        }
        do throws(DeviceError) {
            try await apply(session, new, reply)
        } catch {
            reply.resolve(.failure(error.problem))
            return
        }
        guard !reply.resolve(.success(published.snapshot.report(of: session.context.name))) else { return }
        do throws(DeviceError) {
            try await apply(session, old, nil)
        } catch {
            // Reopen with the old configuration on demand, as soon as the device permits.
            await session.close()
            await adopt(session, old)
        }
    }

    /// Changes the configuration while the client still waits, or unconditionally if `reply` is nil.
    private static func apply(
        _ session: isolated SessionLoop,
        _ new: SessionConfiguration,
        _ reply: Reply<ConfigurationReport>?
    ) async throws(DeviceError) {
        if session.configuration.needsNoNegotiation(after: new) {
            await adopt(session, new)
        } else if session.phase.stream != nil {
            try await applyToStream(session, new, reply)
        } else {
            // Open the closed device without streaming, to verify that it grants the configuration.
            try await session.onThread { (worker) throws(DeviceError) in try worker.tryOut(new) }
            await adopt(session, new)
            // The cause of the last failure may be gone.
            session.phase.interruption?.nextAttempt = session.context.clock.now
        }
    }

    /// Restarts the stream with the new configuration, or with the old one if that fails; clients keep waiting.
    private static func applyToStream(
        _ session: isolated SessionLoop,
        _ new: SessionConfiguration,
        _ reply: Reply<ConfigurationReport>?
    ) async throws(DeviceError) {
        let old = session.configuration
        if old.input == new.input {
            try await session.onThread { (worker) throws(DeviceError) in try worker.check(new) }
            guard reply?.isAwaited != false else { return }
        }
        session.configuration = new
        let error = await session.openDevice(keepsClients: true)
        session.configuration = old
        if let error {
            await session.openDevice(keepsClients: true)
            throw error
        }
        await adopt(session, new)
    }

    private static func adopt(_ session: isolated SessionLoop, _ new: SessionConfiguration) async {
        guard session.configuration != new else { return }
        session.configuration = new
        session.context.published.update { snapshot in
            snapshot.configuration = new
            snapshot.revision += 1
        }
        if session.controls.configured != new.controls {
            session.controls.configured = new.controls
            let wishes = session.controls.wishes
            _ = await session.thread.run { $0.changeControls(to: wishes) }
        }
        session.publishWarmth()
        let revision = session.context.published.snapshot.revision
        session.context.logger.info("the configuration has changed", metadata: ["revision": "\(revision)"])
    }

    static func listFormats(_ session: isolated SessionLoop, _ reply: Reply<[FormatDescription]>) async {
        guard reply.isAwaited else { return }
        let configuration = session.configuration
        do throws(DeviceError) {
            let formats = try await session.onThread { (worker) throws(DeviceError) in
                reply.isAwaited ? try worker.offeredFormats(configuration) : []
            }
            reply.resolve(.success(formats))
        } catch {
            reply.resolve(.failure(error.problem))
        }
    }
}
