// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
package import TintypeModel
internal import TintypeSystem

extension CaptureSession {
    /// Changes the whole configuration or nothing; `revision` is the expected current revision, nil for any.
    func apply(_ new: SessionConfiguration, ifRevision revision: Int?, _ reply: Reply<ConfigurationReport>) async {
        // A client that was told of a failure must not find the change made.
        guard await catchUp(for: reply) else { return }
        let old = configuration
        guard revision == nil || revision == published.snapshot.revision else {
            reply.resolve(
                .failure(
                    Problem(
                        .configurationConflict,
                        "The configuration of \(name) has changed: its revision is \(published.snapshot.revision).",
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
            // Reopen with the old configuration on demand, as soon as the device permits.
            await close()
            await adopt(old)
        }
    }

    /// Changes the configuration while the client still waits, or unconditionally if `reply` is nil.
    private func apply(_ new: SessionConfiguration, _ reply: Reply<ConfigurationReport>?) async throws(DeviceError) {
        if configuration.needsNoNegotiation(after: new) {
            await adopt(new)
        } else if phase.stream != nil {
            try await applyToStream(new, reply)
        } else {
            try await applyToClosed(new)
        }
    }

    /// Opens a closed device without streaming, to verify that it grants the configuration.
    private func applyToClosed(_ new: SessionConfiguration) async throws(DeviceError) {
        try await onThread { (side) throws(DeviceError) in try side.tryOut(new) }
        await adopt(new)
        // The cause of the last failure may be gone.
        attempt(at: clock.now)
    }

    /// Restarts the stream with the new configuration, or with the old one if that fails; clients keep waiting.
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
        published.update { snapshot in
            snapshot.configuration = new
            snapshot.revision += 1
        }
        if controlState.configured != new.controls {
            controlState.configured = new.controls
            let wishes = controlState.wishes
            _ = await thread.run { $0.changeControls(to: wishes) }
        }
        publishWarmth()
        logger.info("the configuration has changed", metadata: ["revision": "\(published.snapshot.revision)"])
    }

    /// The configuration and the granted values, from published state.
    package nonisolated var report: ConfigurationReport {
        let snapshot = published.snapshot
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
