// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// A camera's side on its thread: the open device, if there is one, and all that is done with it.
///
/// Here drivers are called, and nowhere else. Frames go from here to the clients in the hub; the session, which decides
/// when the device is opened and closed, is told by ``CameraEvent`` only what it has to know.
final class DeviceSide: ThreadOwned {
    let context: CameraContext
    /// The device that is open; nil while none is.
    private(set) var camera: OpenCamera?
    /// A device whose input has no signal, open without a stream: it tells when the source changes.
    private var silent: (any CaptureDevice)?
    /// The cover of its lens.
    var shutter = PrivacyShutter()
    /// What was last logged as not fulfilled of its controls.
    var lastUnfulfilled: [ControlOutcome] = []
    /// How long the machine had been suspended when that was last looked at.
    var sleptBefore: Duration

    var clock: any MonotonicClock { context.clock }
    var hub: FrameHub { context.hub }
    var logger: Logger { context.logger }

    /// No device is open.
    init(_ context: CameraContext) {
        self.context = context
        sleptBefore = context.clock.suspended()
    }

    // MARK: - Its turns

    var descriptor: CInt { (camera?.device ?? silent)?.descriptor ?? -1 }

    var awaited: Int16 { Int16(camera == nil ? POLLPRI : POLLIN | POLLPRI) }

    var deadline: MonotonicTime? {
        guard let camera else { return nil }
        var end = camera.stall.end
        if let watchTime { end = min(end, watchTime) }
        if let limit = hub.nextSettleLimit(after: clock.now) { end = min(end, limit) }
        return end
    }

    func turn(_ events: Int16, asleepSince asleep: MonotonicTime) {
        context.reportReturn()
        if events != 0 { hearSource() }
        guard camera != nil, !closeAfterSuspend() else { return }
        pump(events, asleepSince: asleep)
        admitWaiting()
        takeLook()
        serveHeldFrame()
        lookAtHeldFrame()
        watchForMotion()
        readCameraIfDue()
        checkForStall()
        watchControlsIfDue()
    }

    /// Offers the frames to come to clients that asked before the queue was last seen empty.
    func admitWaiting() {
        if let camera { hub.admit(after: camera.last, seenEmptyAt: camera.emptiedAt) }
    }

    /// After a suspend the driver's queue holds pictures from before it, whose age no clock that stood still can tell:
    /// the device is closed, for the session to open it again.
    ///
    /// `CLOCK_BOOTTIME` goes on meanwhile, `CLOCK_MONOTONIC` does not (clock_gettime(2)). Returns whether it was.
    private func closeAfterSuspend() -> Bool {
        let total = clock.suspended()
        let slept = total - exchange(&sleptBefore, with: total)
        guard slept > FrameHub.nap, let camera else { return false }
        context.ring?.clear()
        close()
        context.inbox.tell(CameraEvent(stream: camera.number, what: .suspended(slept)))
        return true
    }

    /// Takes silence for longer than the limit as a failure of the device, and a run of damaged frames as well.
    private func checkForStall() {
        guard let camera else { return }
        // Since the queue was last seen empty nobody has looked: a slow call on this thread is no silence of the camera.
        let (device, now) = (camera.device, camera.emptiedAt)
        switch camera.stall.finding(now: now) {
        case nil: return
        case .damaged: fail(.damaged(path: device.identity.path), keepsDemands: true)
        case .silent:
            let exposure = device.exposureTime()
            if camera.stall.allow(interval: camera.granted.format.interval?.duration, exposure: exposure) {
                let limit = camera.stall.limit
                hub.update { $0.stallLimit = limit }
            }
            guard camera.stall.finding(now: now) == .silent else { return }
            fail(
                .silent(path: device.identity.path, isFirst: camera.stall.awaitsFirstFrame),
                keepsDemands: true
            )
        }
    }

    // MARK: - Waiting for a signal

    /// Whether a device is open that tells when the signal of its input comes.
    var awaitsSignal: Bool { silent != nil }

    /// Keeps a device open whose input has no signal, if it tells of changes of its source.
    func awaitSignal(of device: any CaptureDevice) {
        if device.tellsSourceChanges { silent = device }
    }

    /// The device whose signal is awaited has an event, or poll(2) says that it is gone: if that is not about something
    /// else, it is closed, for the session to open it again.
    private func hearSource() {
        guard let silent else { return }
        let events = try? silent.events()
        if let events, !events.isEmpty, !events.contains(.sourceChanged) { return }
        close()
        context.inbox.tell(CameraEvent(stream: nil, what: .sourceChanged))
    }

    // MARK: - Opening and closing

    /// Takes a device that streams in place of the one before.
    func take(_ camera: OpenCamera) { self.camera = camera }

    /// Ends the stream and closes the device, if one is open: no frame of it is given any more, but those that clients
    /// have already.
    func close() {
        silent = nil
        guard let camera = camera.take() else { return }
        if let tracker = camera.settling.tracker, tracker.hasSeenFirst, !tracker.isSettled {
            hub.updateWarmth { $0.settling.addFailure() }
        }
        hub.forgetFrames()
    }

    /// Closes the device that no client waits for; returns whether it did, or none was open.
    func closeIfUnused() -> Bool {
        guard camera == nil || !hub.isInDemand else { return false }
        close()
        return true
    }

    /// Closes the device to interrupt its stream after the last good frame; returns whether it did, and not where a burst
    /// has begun meanwhile, or the device has failed.
    func closeForGap() -> Bool {
        guard let camera, !hub.fullSizeDemand.isInBurst else { return false }
        hub.beginGap(at: camera.stall.lastGood)
        close()
        return true
    }

    /// The device has failed: closes it, and tells the session.
    func fail(_ error: DeviceError, keepsDemands: Bool = false) {
        guard let number = camera?.number else { return }
        close()
        context.inbox.tell(CameraEvent(stream: number, what: .failed(error, keepsDemands: keepsDemands)))
    }

    /// Tells the session of the stream that runs.
    func tell(_ what: CameraEvent.What) {
        if let camera { context.inbox.tell(CameraEvent(stream: camera.number, what: what)) }
    }
}
