// SPDX-License-Identifier: Apache-2.0
internal import Logging
package import TintypeDevice
package import TintypeModel
internal import TintypeSystem

struct OpeningPlan: Sendable {
    /// Number of the stream.
    let number: UInt64
    let began: MonotonicTime
    let configuration: SessionConfiguration
    let wishes: ControlSettings
    /// True if the device stays open without clients, so watching its controls is worthwhile.
    let staysOpen: Bool
    /// True if the session retries a failed opening by itself.
    let isRetried: Bool
    /// True to open the largest size, for full-size stills.
    let isFullSize: Bool
    let firstFrameLimit: Duration
}

extension CameraWorker {
    /// Opens, configures and starts the device, closing the current one first; publishes and returns its format.
    func open(_ plan: OpeningPlan) throws(DeviceError) -> GrantedFormat {
        close()
        sleptBefore = clock.suspended()
        let device = try context.open(context.calls)
        do throws(DeviceError) {
            return try start(device, plan)
        } catch {
            device.stop()
            if case .noSignal = error, plan.isRetried { awaitSignal(of: device) }
            throw error
        }
    }

    private func start(_ device: any CaptureDevice, _ plan: OpeningPlan) throws(DeviceError) -> GrantedFormat {
        let configuration = plan.configuration
        let negotiation = try negotiate(device, configuration, isLargest: plan.isFullSize)
        let granted = negotiation.granted
        let converter: SharedConverter?
        switch try device.makeConverter(for: granted) {
        case .some(let made): converter = SharedConverter(made)
        case .none: converter = nil
        }
        try keep(plan.wishes, of: device)
        let exposure = device.exposureTime()
        device.clock.lead = configuration.lead
        device.clock.exposure = exposure
        let emptiedAt = clock.now
        let buffers = try device.start()
        try keep(plan.wishes, of: device)
        try readShutter(of: device, isNew: true)
        context.quirks.begin(with: device.identity)
        let camera = OpenCamera(
            plan,
            of: device,
            granted: granted,
            newest: LatestFrame(
                stream: plan.number,
                layout: granted.layout,
                converter: converter,
                quirks: context.quirks,
                copiesAtOnce: buffers < wantedBuffers || device.overwritesLentBuffers
            ),
            emptiedAt: emptiedAt,
            stall: StallRule(
                interval: granted.format.interval?.duration,
                exposure: exposure,
                firstFrameLimit: plan.firstFrameLimit,
                now: clock.now
            )
        )
        // A cold camera is opened for each picture, so this would fill the log.
        logger.log(
            level: configuration.warmth == .cold ? .debug : .info,
            "the camera is streaming",
            metadata: ["format": "\(granted.format)", "asked": "\(negotiation.asked)", "buffers": "\(buffers)"]
        )
        publish(negotiation, of: device.identity)
        publish(camera)
        self.camera = camera
        // Frames that arrived while the controls were set do not delay clients that asked before.
        admitWaiting()
        return granted
    }

    private func publish(_ camera: OpenCamera) {
        if camera.plan.isFullSize { context.gaps.register(stream: camera.number) }
        let limit = camera.stall.limit
        let opening = SessionSnapshot.Opening(began: camera.plan.began, took: clock.now - camera.plan.began)
        published.update { snapshot in
            snapshot.stallLimit = limit
            snapshot.opening = opening
            snapshot.counters.opened += 1
        }
        dispatcher.change { state in
            state.kind = camera.plan.isFullSize ? .largest : .usual
            (state.opening, state.stallLimit) = (opening, limit)
            state.settling.begin(stream: camera.number, until: MonotonicTime(nanoseconds: .max))
        }
    }
}

package struct Negotiation: Hashable, Sendable {
    package var asked: CaptureFormat
    package var granted: GrantedFormat
    /// The selected input; nil if the device has none.
    package var input: InputStatus?
    /// One phrase for each configured value that was not granted.
    package var unmet: [String]
}

extension CameraWorker {
    /// Sets input, format and crop of an open device that is not streaming.
    ///
    /// `isLargest` selects the largest size in one of the configured pixel formats, uncropped. Throws if the device
    /// cannot do it, or if a value that must match exactly was not granted.
    func negotiate(
        _ device: any CaptureDevice,
        _ wanted: SessionConfiguration,
        isLargest: Bool = false
    ) throws(DeviceError) -> Negotiation {
        let crop = isLargest ? nil : wanted.input.crop
        let input = try device.selectInput(wanted.input)
        let offer = try FormatOffer(of: device, input)
        let wish = isLargest ? wanted.format.largest(of: offer) : wanted.format.cropped(to: crop)
        let asked = try wish.resolve(offer, asking: device)
        var granted = try device.configure(asked, crop: crop)
        granted.layout.deinterlacing = wanted.input.deinterlace ?? .double
        if isLargest { return Negotiation(asked: asked, granted: granted, input: input, unmet: []) }
        try wanted.format.check(granted.format, path: device.identity.path)
        var unmet = wanted.format.unmet(by: granted.format)
        if let crop, let part = granted.crop, part != crop {
            unmet.append("the crop: \(crop) was asked for, and \(part) granted")
        }
        if let way = wanted.input.deinterlace, let possible = granted.layout.deinterlaced, possible != way {
            unmet.append("the deinterlacing: \(way.rawValue) was asked for, and only \(possible.rawValue) is possible")
        }
        return Negotiation(asked: asked, granted: granted, input: input, unmet: unmet)
    }

    /// Opens a device without streaming, publishes the format that it grants for `wanted`, and closes it.
    func tryOut(_ wanted: SessionConfiguration) throws(DeviceError) {
        let device = try context.open(context.calls)
        publish(try negotiate(device, wanted), of: device.identity)
    }

    /// Rejects a configuration that the open device does not offer, without interrupting its stream.
    func check(_ wanted: SessionConfiguration) throws(DeviceError) {
        guard let camera else { return }
        let offer = try FormatOffer(of: camera.device, published.snapshot.negotiation?.input)
        _ = try wanted.format.cropped(to: wanted.input.crop).resolve(offer)
    }

    /// Formats offered by the device; a closed one is opened for this and closed again.
    func offeredFormats(_ wanted: SessionConfiguration) throws(DeviceError) -> [FormatDescription] {
        if let camera { return try camera.device.formats() }
        let device = try context.open(context.calls)
        if wanted.input.input != nil { _ = try device.selectInput(wanted.input) }
        return try device.formats()
    }

    /// True if the stream has the largest size offered for `wanted`; nil without a stream.
    func isLargest(of wanted: SessionConfiguration) -> Bool? {
        guard let camera else { return nil }
        do throws(DeviceError) {
            let offer = try FormatOffer(of: camera.device, published.snapshot.negotiation?.input)
            let largest = try wanted.format.largest(of: offer).resolve(offer)
            return largest.size.area <= camera.granted.format.size.area
        } catch {
            // An unknown size is found out at the next full-size request.
            logger.debug("the largest size is unknown: \(error)")
            return false
        }
    }

    func publish(_ negotiation: Negotiation, of camera: CameraIdentity) {
        if published.snapshot.negotiation?.unmet != negotiation.unmet, !negotiation.unmet.isEmpty {
            logger.warning(
                "the driver did not grant all of the configuration: \(negotiation.unmet.joined(separator: "; "))"
            )
        }
        published.update { snapshot in
            snapshot.identity = camera
            snapshot.negotiation = negotiation
            snapshot.format = negotiation.granted.format
        }
    }
}

extension FormatWish {
    /// Selects the largest size in one of the wished pixel formats, if the device offers any of them.
    fileprivate func largest(of offer: FormatOffer) -> FormatWish {
        let usable = offer.formats.filter { !$0.isEmulated && $0.isSupported && pixelFormats.contains($0.pixelFormat) }
        func area(_ format: FormatDescription) -> Int { format.sizes.map(\.maximum.area).max() ?? 0 }
        let most = usable.map(area).max() ?? 0
        // Their order is the order of preference; here size comes first.
        let largest = pixelFormats.filter { name in usable.contains { $0.pixelFormat == name && area($0) == most } }
        return FormatWish(preset: .photo, pixelFormats: largest.isEmpty ? pixelFormats : largest)
    }
}
