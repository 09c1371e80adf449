// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// The camera's thread: owns the open device and makes all driver calls.
///
/// Hands frames directly to the clients in the dispatcher. Sends ``CameraEvent``s to the session, which decides when the
/// device is opened and closed.
final class CameraWorker: ThreadOwned {
    let context: CameraContext
    private(set) var camera: OpenCamera?
    /// A device without input signal, open without a stream to receive `V4L2_EVENT_SOURCE_CHANGE`.
    private var silent: (any CaptureDevice)?
    private let shutter: PrivacyShutter
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

    func turn(_ events: Int16, asleepSince asleep: MonotonicTime) {
        context.reportReturn()
        if events != 0 { checkSource() }
        guard let camera, !closeAfterSuspend() else { return }
        do throws(DeviceError) {
            if try camera.turn(events, asleepSince: asleep, slept: sleptBefore) { return }
            // Held frames have the old size. Waiting clients keep waiting until their deadlines.
            close()
            context.report(.sourceChanged, of: camera.plan.number)
        } catch {
            fail(error)
        }
    }

    /// Closes the device after a system suspend, so that the session reopens it; returns true if it was closed.
    ///
    /// The driver's queue then holds frames of unknown age, since `CLOCK_MONOTONIC` stands still during a suspend and
    /// `CLOCK_BOOTTIME` does not (clock_gettime(2)).
    private func closeAfterSuspend() -> Bool {
        let total = context.clock.suspended()
        let slept = total - exchange(&sleptBefore, with: total)
        guard slept > FrameDispatcher.nap, let camera else { return false }
        context.ring?.clear()
        close()
        context.report(.suspended(slept), of: camera.plan.number)
        return true
    }

    /// Handles an event or poll(2) error of the device whose signal is awaited: closes it, so that the session reopens
    /// it, unless the events are about something else.
    private func checkSource() {
        guard let silent else { return }
        let events = try? silent.events()
        if let events, !events.isEmpty, !events.contains(.sourceChanged) { return }
        close()
        context.report(.sourceChanged, of: nil)
    }

    var awaitsSignal: Bool { silent != nil }

    // MARK: - Opening

    /// Opens, configures and starts the device, closing the current one first; publishes and returns its format.
    func open(_ plan: OpeningPlan) throws(DeviceError) -> Negotiation {
        close()
        sleptBefore = context.clock.suspended()
        let device = try context.open(context.calls)
        do throws(DeviceError) {
            let camera = try OpenCamera(device, plan, shutter, context)
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

    /// Formats offered by the device; a closed one is opened for this and closed again.
    func offeredFormats(_ wanted: SessionConfiguration) throws(DeviceError) -> [FormatDescription] {
        if let camera { return try camera.device.formats() }
        let device = try context.open(context.calls)
        if wanted.input.input != nil { _ = try device.selectInput(wanted.input) }
        return try device.formats()
    }

    // MARK: - Controls

    /// Runs `body` with the device's controls; settling restarts if it changes them.
    ///
    /// A closed device is opened for it, given the desired controls, and closed again.
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
            if case .disconnected = error { fail(error) }
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
            fail(error)
        }
    }

    // MARK: - Closing

    /// Ends the stream and closes the device, if open; frames that clients already have stay valid.
    func close() {
        silent = nil
        guard let camera = camera.take() else { return }
        // Before the camera ends: a frame that is still lent would be copied for nobody.
        context.dispatcher.forgetFrames()
        camera.settling.end()
    }

    /// Closes the device if no client waits for it; returns true if no device is open afterwards.
    func closeIfUnused() -> Bool {
        guard camera == nil || !context.dispatcher.need.isInDemand else { return false }
        close()
        return true
    }

    /// Closes the device to interrupt its stream after the last good frame; returns false if a burst has begun
    /// meanwhile or the device has failed.
    func closeForGap() -> Bool {
        guard let camera, !context.dispatcher.need.isInBurst else { return false }
        context.gaps.begin(at: camera.stall.lastGood)
        close()
        return true
    }

    private func fail(_ error: DeviceError) {
        guard let number = camera?.plan.number else { return }
        close()
        context.report(.failed(error), of: number)
    }
}
