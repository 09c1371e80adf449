// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel

/// What a device is opened for, and how.
struct OpeningPlan: Sendable {
    /// The number of its stream.
    let number: UInt64
    /// When opening it began.
    let began: MonotonicTime
    let configuration: SessionConfiguration
    /// What is wished of its controls.
    let wishes: ControlSettings
    /// Whether it stays open though no client wants a frame, so that it is worth to watch its controls.
    let staysOpen: Bool
    /// Whether it is to have its largest size, for clients that want that.
    let isFullSize: Bool
}

extension DeviceSide {
    /// Opens, configures and starts the device, from zero; one that is open is closed before.
    ///
    /// Returns what was granted, and publishes it.
    func open(_ plan: OpeningPlan) throws(DeviceError) -> GrantedFormat {
        close()
        sleptBefore = hub.asleep()
        let device = try context.open(context.calls)
        do throws(DeviceError) {
            return try start(device, plan)
        } catch {
            device.stop()
            throw error
        }
    }

    private func start(_ device: any CaptureDevice, _ plan: OpeningPlan) throws(DeviceError) -> GrantedFormat {
        let configuration = plan.configuration
        let negotiation =
            plan.isFullSize ? try negotiateLargest(device, configuration) : try negotiate(device, configuration)
        let granted = negotiation.granted
        let converter: SharedConverter?
        switch try device.makeConverter(for: granted) {
        case .some(let made): converter = SharedConverter(made)
        case .none: converter = nil
        }
        try keep(plan.wishes, of: device)
        let exposure = device.exposureTime()
        (device.clock.lead, device.clock.exposure) = (configuration.lead, exposure)
        let emptiedAt = MonotonicTime.now()
        let buffers = try device.start()
        try keep(plan.wishes, of: device)
        try readShutter(of: device, isNew: true)
        context.quirks.begin(with: device.identity)
        let camera = OpenCamera(
            plan.number,
            of: device,
            began: plan.began,
            granted: granted,
            isFullSize: plan.isFullSize,
            staysOpen: plan.staysOpen,
            newest: NewestFrame(
                stream: plan.number,
                layout: granted.layout,
                converter: converter,
                quirks: context.quirks,
                copiesAtOnce: buffers < wantedBuffers || device.overwritesLentBuffers
            ),
            progress: StreamProgress(emptiedAt: emptiedAt),
            stall: StallRule(interval: granted.format.interval?.duration, exposure: exposure, now: .now())
        )
        // A cold camera is opened for each picture.
        logger.log(
            level: configuration.warmth == .cold ? .debug : .info,
            "the camera is streaming",
            metadata: ["format": "\(granted.format)", "asked": "\(negotiation.asked)", "buffers": "\(buffers)"]
        )
        publish(negotiation, of: device.identity)
        publish(camera)
        take(camera)
        return granted
    }

    /// Publishes a stream that has begun.
    private func publish(_ camera: OpenCamera) {
        hub.set(camera.isFullSize ? .largest : .usual)
        if camera.isFullSize, let gapBegan = hub.gapBegan { hub.recordGap(since: gapBegan, stream: camera.number) }
        let (began, limit) = (camera.began, camera.stall.limit)
        hub.update { snapshot in
            snapshot.stallLimit = limit
            snapshot.opening = SessionSnapshot.Opening(began: began, took: .now() - began)
            snapshot.counters.opened += 1
        }
        hub.beginSettling(stream: camera.number, until: MonotonicTime(nanoseconds: .max))
    }
}
