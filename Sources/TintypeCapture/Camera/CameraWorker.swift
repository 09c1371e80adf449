// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
package import TintypeDevice
package import TintypeModel
internal import TintypeSystem

/// The camera's thread: owns the open device and makes all driver calls, for the session, which decides.
final class CameraWorker: ThreadOwned {
    let context: CameraContext
    private(set) var camera: OpenCamera?
    /// A device without input signal, open without a stream to receive `V4L2_EVENT_SOURCE_CHANGE`.
    private var silent: (any CaptureDevice)?
    private let shutter: PrivacyShutter
    /// Of all streams until now.
    private var pace = CameraPace()
    /// Total suspend time of the machine at the last check.
    private var sleptBefore: Duration

    init(_ context: CameraContext) {
        self.context = context
        shutter = PrivacyShutter(context)
        sleptBefore = context.clock.suspended()
    }

    var descriptor: CInt { (camera?.device ?? silent)?.descriptor ?? -1 }
    var awaited: Int16 { Int16(camera == nil ? POLLPRI : POLLIN | POLLPRI) }
    var deadline: MonotonicTime? { camera?.deadline }
    var awaitsSignal: Bool { silent != nil }

    func turn(_ events: Int16, asleepSince asleep: MonotonicTime) {
        context.reportReturn()
        if events != 0 { checkSource() }
        guard let camera, !closeAfterSuspend() else { return }
        do throws(DeviceError) {
            if try camera.turn(events, asleepSince: asleep, slept: sleptBefore) { return }
            // Held frames have the old size. Waiting clients keep waiting until their deadlines.
            close(because: .sourceChanged)
        } catch {
            close(because: .failed(error))
        }
    }

    /// Closes the device after a system suspend, for the session to reopen it: the driver's queue then holds frames of
    /// unknown age, since `CLOCK_MONOTONIC` stands still during a suspend (clock_gettime(2)).
    private func closeAfterSuspend() -> Bool {
        let total = context.clock.suspended()
        let slept = total - exchange(&sleptBefore, with: total)
        guard slept > FrameDispatcher.nap, camera != nil else { return false }
        context.ring?.clear()
        close(because: .suspended(slept))
        return true
    }

    /// Closes the device whose signal is awaited, for the session to reopen it, unless its events are unrelated.
    private func checkSource() {
        guard let silent else { return }
        let events = try? silent.events()
        if let events, !events.isEmpty, !events.contains(.sourceChanged) { return }
        close(because: .sourceChanged)
    }

    /// Opens, configures and starts the device, closing the current one first; publishes and returns its format.
    func open(_ plan: OpeningPlan) throws(DeviceError) -> Negotiation {
        close()
        sleptBefore = context.clock.suspended()
        let device = try context.open(context.calls)
        do throws(DeviceError) {
            let camera = try OpenCamera(device, plan, shutter, pace, context)
            self.camera = camera
            // Frames that arrived while the controls were set do not delay clients that asked before.
            camera.admitWaiting()
            return camera.negotiation
        } catch {
            device.stop()
            // Keep a device without input signal open if it reports source changes.
            if case .noSignal = error, plan.isRetried, device.tellsSourceChanges { silent = device }
            throw error
        }
    }

    /// Opens a device without streaming, publishes the format that it grants for `wanted`, and closes it.
    func tryOut(_ wanted: SessionConfiguration) throws(DeviceError) {
        let device = try context.open(context.calls)
        context.publish(try Negotiation(device, wanted), of: device.identity)
    }

    /// Rejects a configuration that the open device does not offer, without interrupting its stream.
    func check(_ wanted: SessionConfiguration) throws(DeviceError) {
        guard let camera else { return }
        let offer = try FormatOffer(of: camera.device, context.published.snapshot.negotiation?.input)
        _ = try wanted.format.cropped(to: wanted.input.crop).resolve(offer)
    }

    func offeredFormats(_ wanted: SessionConfiguration) throws(DeviceError) -> [FormatDescription] {
        if let camera { return try camera.device.formats() }
        let device = try context.open(context.calls)
        if wanted.input.input != nil { _ = try device.selectInput(wanted.input) }
        return try device.formats()
    }

    /// Settling restarts if `body` changes controls; a closed device is opened, given the desired controls, and closed.
    func withControls<Value>(
        keeping wishes: ControlSettings,
        changesThem changes: Bool,
        _ body: (ControlWatch) throws(DeviceError) -> Value
    ) throws(DeviceError) -> Value {
        guard let camera else {
            let controls = ControlWatch(of: try context.open(context.calls), shutter, context)
            // Cameras lose their settings when closed: report the values that the next picture will have.
            try controls.keep(wishes)
            return try body(controls)
        }
        do throws(DeviceError) {
            let value = try body(camera.controls)
            if changes { camera.settling.restart() }
            try camera.controls.refresh()
            try shutter.read(of: camera.device)
            return value
        } catch {
            if case .disconnected = error { close(because: .failed(error)) }
            throw error
        }
    }

    func changeControls(to wishes: ControlSettings) {
        guard let camera else { return }
        do throws(DeviceError) {
            try camera.controls.keep(wishes)
            camera.settling.restart()
            try camera.controls.refresh()
        } catch {
            close(because: .failed(error))
        }
    }

    /// Frames that clients already have stay valid.
    func close() {
        silent = nil
        guard let camera = camera.take() else { return }
        pace = camera.stall.pace
        // Before the camera ends: a frame that is still lent would be copied for nobody.
        context.dispatcher.forgetFrames()
        camera.settling.end()
    }

    /// True if no device is open afterwards.
    func closeIfUnused() -> Bool {
        guard camera == nil || !context.dispatcher.need.isInDemand else { return false }
        close()
        return true
    }

    /// Closes the device to interrupt its stream; false if a burst has begun meanwhile or the device has failed.
    func closeForGap() -> Bool {
        guard let camera, !context.dispatcher.need.isInBurst else { return false }
        context.gaps.begin(at: camera.stall.lastGood)
        close()
        return true
    }

    private func close(because what: CameraEvent.What) {
        let number = camera?.plan.number
        close()
        context.report(what, of: number)
    }
}

package struct Negotiation: Hashable, Sendable {
    package var asked: CaptureFormat
    package var granted: GrantedFormat
    package var input: InputStatus?
    /// One phrase for each configured value that was not granted.
    package var unmet: [String] = []
    /// Largest size offered in the configured pixel formats; nil if unknown.
    let largestSize: FrameSize?

    var isLargest: Bool { largestSize.map { $0.area <= granted.format.size.area } ?? false }

    /// Sets input, format and crop of an open device, uncropped if `largest`; throws if a value that must match was not
    /// granted.
    init(_ device: any CaptureDevice, _ wanted: SessionConfiguration, largest: Bool = false) throws(DeviceError) {
        let crop = largest ? nil : wanted.input.crop
        input = try device.selectInput(wanted.input)
        let offer = try FormatOffer(of: device, input)
        let wish = largest ? wanted.format.largest(of: offer) : wanted.format.cropped(to: crop)
        asked = try wish.resolve(offer, asking: device)
        granted = try device.configure(asked, crop: crop)
        granted.layout.deinterlacing = wanted.input.deinterlace ?? .double
        guard !largest else {
            largestSize = granted.format.size
            return
        }
        try wanted.format.check(granted.format, path: device.identity.path)
        // An unknown largest size is found out at the first full-size request.
        largestSize = (try? wanted.format.largest(of: offer).resolve(offer))?.size
        unmet = wanted.format.unmet(by: granted.format)
        if let crop, let part = granted.crop, part != crop {
            unmet.append("the crop: \(crop) was asked for, and \(part) granted")
        }
        if let way = wanted.input.deinterlace, let possible = granted.layout.deinterlaced, possible != way {
            unmet.append("the deinterlacing: \(way.rawValue) was asked for, and only \(possible.rawValue) is possible")
        }
    }
}

extension FormatWish {
    fileprivate func largest(of offer: FormatOffer) -> FormatWish {
        let usable = offer.formats.filter { !$0.isEmulated && $0.isSupported && pixelFormats.contains($0.pixelFormat) }
        func area(_ format: FormatDescription) -> Int { format.sizes.map(\.maximum.area).max() ?? 0 }
        let most = usable.map(area).max() ?? 0
        // Their order is the order of preference; here size comes first.
        let largest = pixelFormats.filter { name in usable.contains { $0.pixelFormat == name && area($0) == most } }
        return FormatWish(preset: .photo, pixelFormats: largest.isEmpty ? pixelFormats : largest)
    }
}
