// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// Commands about the format and configuration of a camera, in the session's turn.
extension SessionLoop {
    /// Changes the whole configuration or nothing; `revision` is the expected current revision, nil for any.
    func apply(_ new: SessionConfiguration, ifRevision revision: Int?, _ reply: Reply<ConfigurationReport>) async {
        // A client that was told of a failure must not find the change made.
        guard await catchUp(for: reply) else { return }
        let (old, published) = (configuration, context.published)
        let current = published.snapshot.revision
        guard revision == nil || revision == current else {
            let problem = Problem(
                .configurationConflict,
                "The configuration of \(context.name) has changed: its revision is \(current).",
                remedy: "Read the configuration again, and apply the change to that."
            )
            reply.resolve(.failure(problem))
            return
        }
        do throws(DeviceError) {
            try await change(to: new, reply)
        } catch {
            reply.resolve(.failure(error.problem))
            return
        }
        guard !reply.resolve(.success(published.snapshot.report(of: context.name))) else { return }
        do throws(DeviceError) {
            try await change(to: old, nil)
        } catch {
            // Reopen with the old configuration on demand, as soon as the device permits.
            await close()
            await adopt(old)
        }
    }

    /// Changes the configuration while the client still waits, or unconditionally if `reply` is nil.
    private func change(
        to new: SessionConfiguration,
        _ reply: Reply<ConfigurationReport>?
    ) async throws(DeviceError) {
        if configuration.format == new.format, configuration.input == new.input {
            await adopt(new)
        } else if phase.stream != nil {
            try await restartStream(with: new, reply)
        } else {
            // Open the closed device without streaming, to verify that it grants the configuration.
            try await onThread { (worker) throws(DeviceError) in try worker.tryOut(new) }
            await adopt(new)
            // The cause of the last failure may be gone.
            phase.interruption?.nextAttempt = context.clock.now
        }
    }

    /// Restarts the stream with the new configuration, or with the old one if that fails; clients keep waiting.
    private func restartStream(
        with new: SessionConfiguration,
        _ reply: Reply<ConfigurationReport>?
    ) async throws(DeviceError) {
        let old = configuration
        if old.input == new.input {
            try await onThread { (worker) throws(DeviceError) in try worker.check(new) }
            guard reply?.isAwaited != false else { return }
        }
        configuration = new
        let error = await openDevice(keepsClients: true)
        configuration = old
        if let error {
            await openDevice(keepsClients: true)
            throw error
        }
        await adopt(new)
    }

    private func adopt(_ new: SessionConfiguration) async {
        guard configuration != new else { return }
        configuration = new
        context.published.update { snapshot in
            snapshot.configuration = new
            snapshot.revision += 1
        }
        if controls.configured != new.controls {
            controls.configured = new.controls
            let wishes = controls.wishes
            _ = await thread.run { $0.changeControls(to: wishes) }
        }
        publishWarmth()
        let revision = context.published.snapshot.revision
        context.logger.info("the configuration has changed", metadata: ["revision": "\(revision)"])
    }

    func listFormats(_ reply: Reply<[FormatDescription]>) async {
        guard reply.isAwaited else { return }
        let configuration = configuration
        do throws(DeviceError) {
            let formats = try await onThread { (worker) throws(DeviceError) in
                reply.isAwaited ? try worker.offeredFormats(configuration) : []
            }
            reply.resolve(.success(formats))
        } catch {
            reply.resolve(.failure(error.problem))
        }
    }
}
