// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
package import TintypeModel
internal import TintypeSystem

extension CaptureSession {
    // MARK: - Changing the configuration

    /// Changes the configuration, whole or not at all; `revision` is the one that the change is based on, nil for
    /// the present one.
    func apply(_ new: SessionConfiguration, ifRevision revision: Int?, _ reply: Reply<ConfigurationReport>) async {
        // A client that was told that it failed must not find it done.
        guard await catchUp(for: reply) else { return }
        let old = configuration
        guard revision == nil || revision == hub.snapshot.revision else {
            reply.resolve(
                .failure(
                    Problem(
                        .configurationConflict,
                        "The configuration of \(name) has changed: its revision is \(hub.snapshot.revision).",
                        remedy: "Read the configuration again, and apply the change to that."
                    )
                )
            )
            return
        }
        do throws(DeviceError) {
            try await apply(new, reply)
        } catch {
            reply.resolve(.failure(error.problem))
            return
        }
        guard !reply.resolve(.success(report)) else { return }
        do throws(DeviceError) {
            try await apply(old, nil)
        } catch {
            // Opened again with the old one on demand, as soon as the device lets itself be.
            await close()
            await adopt(old)
        }
    }

    /// Changes it while a client waits for its answer, or in any case where `reply` is nil.
    private func apply(_ new: SessionConfiguration, _ reply: Reply<ConfigurationReport>?) async throws(DeviceError) {
        if configuration.needsNoNegotiation(after: new) {
            await adopt(new)
        } else if phase.stream != nil {
            try await applyToStream(new, reply)
        } else {
            try await applyToClosed(new)
        }
    }

    /// A closed device is opened without a stream, so that what is accepted can be had.
    private func applyToClosed(_ new: SessionConfiguration) async throws(DeviceError) {
        try await onThread { (side) throws(DeviceError) in try side.tryOut(new) }
        await adopt(new)
        // What it failed for may be over.
        attempt(at: clock.now)
    }

    /// Ends the stream and starts again; where that fails, the old configuration comes back.
    ///
    /// Waiting clients go on waiting.
    private func applyToStream(
        _ new: SessionConfiguration,
        _ reply: Reply<ConfigurationReport>?
    ) async throws(DeviceError) {
        if configuration.input == new.input {
            try await onThread { (side) throws(DeviceError) in try side.check(new) }
            guard reply?.isAwaited != false else { return }
        }
        let old = configuration
        configuration = new
        if let error = await openDevice(keepsDemands: true) {
            configuration = old
            await openDevice(keepsDemands: true)
            throw error
        }
        configuration = old
        await adopt(new)
    }

    private func adopt(_ new: SessionConfiguration) async {
        guard configuration != new else { return }
        configuration = new
        hub.update { snapshot in
            snapshot.configuration = new
            snapshot.revision += 1
        }
        if controlState.configured != new.controls {
            controlState.configured = new.controls
            let wishes = controlState.wishes
            _ = await thread.run { $0.changeControls(to: wishes) }
        }
        publishWarmth()
        logger.info("the configuration has changed", metadata: ["revision": "\(hub.snapshot.revision)"])
    }
}

extension CaptureSession {
    /// The configuration, and what was granted of it: from what the session published last.
    package nonisolated var report: ConfigurationReport {
        let snapshot = hub.snapshot
        var report = ConfigurationReport(
            camera: name,
            revision: snapshot.revision,
            configuration: snapshot.configuration.settings
        )
        report.asked = snapshot.negotiation?.asked
        report.granted = snapshot.negotiation?.granted.format
        report.input = snapshot.negotiation?.input
        report.crop = snapshot.negotiation?.granted.crop
        report.unmet = snapshot.negotiation?.unmet ?? []
        return report
    }
}
