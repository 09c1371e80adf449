// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
package import TintypeModel
internal import TintypeThreads

extension CaptureSession {
    /// Sets input, format and crop of an open device that does not stream.
    ///
    /// Throws what the device cannot do, and what is not exactly as the configuration says.
    func negotiate(_ device: any CaptureDevice, _ wanted: SessionConfiguration) throws(DeviceError) -> Negotiation {
        let crop = wanted.input.crop
        let input = try device.selectInput(wanted.input)
        let wish = wanted.format.cropped(to: crop)
        let asked = try wish.resolve(Self.offer(of: device, input))
        let granted = try device.configure(asked, crop: crop)
        try wanted.format.check(granted.format, path: device.identity.path)
        var unmet = wanted.format.unmet(by: granted.format)
        if let crop, let part = granted.crop, part != crop {
            unmet.append("the crop: \(crop) was asked for, and \(part) granted")
        }
        return Negotiation(asked: asked, granted: granted, input: input, unmet: unmet)
    }

    static func offer(
        of device: any CaptureDevice,
        _ input: InputStatus?
    ) throws(DeviceError) -> FormatOffer {
        FormatOffer(
            camera: device.identity,
            formats: try device.formats(),
            current: try device.currentFormat(),
            hasSignal: input?.hasSignal ?? false
        )
    }

    /// Publishes what was agreed on, and logs it where it is not what was asked for.
    func publish(_ negotiation: Negotiation, of camera: CameraIdentity) {
        if hub.snapshot.negotiation?.unmet != negotiation.unmet, !negotiation.unmet.isEmpty {
            logger.warning(
                "the driver did not grant all of the configuration: \(negotiation.unmet.joined(separator: "; "))"
            )
        }
        hub.update { snapshot in
            snapshot.identity = camera
            snapshot.negotiation = negotiation
            snapshot.format = negotiation.granted.format
        }
    }

    // MARK: - Changing the configuration

    /// Changes the configuration, whole or not at all; `revision` is the one that the change is based on, nil for
    /// whatever there is.
    func apply(_ new: SessionConfiguration, ifRevision revision: Int?, _ reply: Reply<ConfigurationReport>) {
        // A client that was told that it failed must not find it done.
        guard reply.isAwaited else { return }
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
            try apply(new)
        } catch {
            reply.resolve(.failure(error.problem))
            return
        }
        guard !reply.resolve(.success(report)) else { return }
        do throws(DeviceError) {
            try apply(old)
        } catch {
            // Opened again with the old one on demand, as soon as the device lets itself be.
            enter(.closes)
            adopt(old)
        }
    }

    private func apply(_ new: SessionConfiguration) throws(DeviceError) {
        if configuration.needsNoNegotiation(after: new) {
            adopt(new)
        } else if phase.stream != nil {
            try applyToStream(new)
        } else {
            try applyToClosed(new)
        }
    }

    /// A closed device is opened without a stream, so that what is accepted can be had.
    private func applyToClosed(_ new: SessionConfiguration) throws(DeviceError) {
        let device = try open(calls)
        publish(try negotiate(device, new), of: device.identity)
        adopt(new)
        // What it failed for may be over.
        attempt(at: .now())
    }

    /// Ends the stream and starts again; where that fails, the old configuration comes back.
    ///
    /// Waiting clients go on waiting.
    private func applyToStream(_ new: SessionConfiguration) throws(DeviceError) {
        if let device = phase.stream?.device, configuration.input == new.input {
            // What the device does not offer at all is refused before anything is interrupted.
            let offer = try Self.offer(of: device, hub.snapshot.negotiation?.input)
            _ = try new.format.cropped(to: new.input.crop).resolve(offer)
        }
        let old = configuration
        configuration = new
        if let error = openDevice(keepsDemands: true) {
            configuration = old
            openDevice(keepsDemands: true)
            throw error
        }
        configuration = old
        adopt(new)
    }

    private func adopt(_ new: SessionConfiguration) {
        guard configuration != new else { return }
        configuration = new
        hub.update { snapshot in
            snapshot.configuration = new
            snapshot.revision += 1
        }
        adoptConfiguredControls()
        publishWarmth()
        logger.info("the configuration has changed", metadata: ["revision": "\(hub.snapshot.revision)"])
    }
}

extension CaptureSession {
    /// The configuration, and what was granted of it: from what the session published last.
    package nonisolated var report: ConfigurationReport {
        let snapshot = hub.snapshot
        return ConfigurationReport(
            camera: name,
            revision: snapshot.revision,
            configuration: snapshot.configuration.settings,
            asked: snapshot.negotiation?.asked,
            granted: snapshot.negotiation?.granted.format,
            input: snapshot.negotiation?.input,
            crop: snapshot.negotiation?.granted.crop,
            unmet: snapshot.negotiation?.unmet ?? []
        )
    }
}
