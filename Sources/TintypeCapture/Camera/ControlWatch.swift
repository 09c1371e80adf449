// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// Controls of an open device: keeps the desired settings, detects changes by others, reads exposure and focus.
final class ControlWatch {
    let shutter: PrivacyShutter
    private let device: any CaptureDevice
    private let context: CameraContext
    /// Controls as last seen, by id; nil if not watched.
    private var known: [UInt32: ControlDescription]?
    /// Reader for a ``CameraReading``; nil until the device was queried for its controls.
    private var reader: ControlReader?
    private var readAt = MonotonicTime.never

    /// Time from opening until the controls of a camera in constant demand are watched.
    static let delay = Duration.seconds(2)
    private static let readingInterval = Duration.milliseconds(500)

    init(of device: any CaptureDevice, _ shutter: PrivacyShutter, _ context: CameraContext) {
        (self.device, self.shutter, self.context) = (device, shutter, context)
    }

    var driver: DeviceControls { DeviceControls(of: device) }

    /// Sets the desired controls where the values differ: before the stream starts and again afterwards, since some
    /// cameras reset controls at `VIDIOC_STREAMON`; throws only if the device is gone.
    func keep(_ wishes: ControlSettings) throws(DeviceError) {
        guard !wishes.isEmpty else { return }
        do throws(DeviceError) {
            _ = try apply(wishes, onlyWhereDifferent: true)
        } catch {
            if case .disconnected = error { throw error }
            context.logger.warning("the controls could not be set: \(error)")
        }
    }

    /// Sets controls, publishes the settings that were not accepted, and logs those not published before.
    func apply(_ settings: ControlSettings, onlyWhereDifferent: Bool = false) throws(DeviceError) -> [ControlOutcome] {
        let outcomes = try driver.apply(settings, onlyWhereDifferent: onlyWhereDifferent)
        let unfulfilled = outcomes.filter { !$0.isFulfilled }
        let before = context.published.snapshot.controls?.unfulfilled ?? []
        context.published.updateControls { $0.unfulfilled = unfulfilled }
        for outcome in unfulfilled {
            context.logger.log(
                level: before.contains(outcome) ? .debug : .warning,
                "the control \(outcome.name) could not be set as requested: \(outcome.detail ?? "")",
                metadata: [
                    "control": "\(outcome.name)", "result": "\(outcome.result.rawValue)",
                    "asked": "\(outcome.asked?.description ?? "")", "value": "\(outcome.value?.description ?? "")",
                ]
            )
        }
        return outcomes
    }

    var isBegun: Bool { known != nil }

    /// Starts watching for changes by other programs: querying all controls takes a USB camera many milliseconds.
    func begin() throws(DeviceError) {
        known = [:]
        do throws(DeviceError) {
            // Subscribe before reading: a change in between is then either an event or in the values read.
            driver.watch(try driver.lasting())
            try refresh()
            if let privacy = known?[ControlNumber.privacy]?.value { shutter.set(closed: privacy == .boolean(true)) }
        } catch {
            if case .disconnected = error { throw error }
            context.logger.warning("the controls cannot be watched for changes: \(error)")
        }
    }

    /// Rereads the controls after tintype has set some, so that side effects do not count as foreign changes.
    func refresh() throws(DeviceError) {
        guard known != nil else { return }
        known = Dictionary(try driver.lasting().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Counts, publishes and logs changes made by others (`V4L2_EVENT_CTRL`).
    func recordChanges(_ events: [DeviceEvent]) throws(DeviceError) {
        for case .controlChanged(let id, let number, let isRedefined) in events {
            if id == ControlNumber.privacy, let number { shutter.set(closed: number != 0) }
            guard var control = known?[id] else { continue }
            if isRedefined { control = try driver.refreshed(control) }
            let before = control.value
            // A volatile value, such as the gain under automatic gain, changes by itself.
            control.value = control.has(.volatile) ? nil : try driver.value(of: control) ?? before
            known?[id] = control
            // The event may result from our own setting, and its value may be stale: for a control that depends on one
            // that we set, uvcvideo reports the value from before.
            guard number != nil, let value = control.value, value != before else { continue }
            report(ControlChange(name: control.name, from: before, to: value, at: context.clock.wall))
        }
    }

    private func report(_ change: ControlChange) {
        context.published.updateControls { status in
            status.foreignChanges += 1
            status.lastForeignChange = change
        }
        context.tell(.controls([change.name: change.to], of: context.name, by: "by another program or by the camera"))
        context.logger.notice(
            "the control \(change.name) was changed by another program or by the camera",
            metadata: ["control": "\(change.name)", "from": "\(change.from?.description ?? "")", "to": "\(change.to)"]
        )
    }

    /// Reads exposure and focus at most twice a second: a query takes a USB camera a millisecond or more.
    func readIfDue() throws(DeviceError) {
        let began = context.clock.now
        guard began - readAt >= Self.readingInterval else { return }
        readAt = began
        if reader == nil { reader = try ControlReader(CameraReading.controls, of: device) }
        guard let current = reader, !current.isEmpty else { return }
        let reading = CameraReading(try current.read(), readAt: began)
        context.published.update { $0.reading = reading }
        if let time = reading.time { device.clock.exposure = time }
        // Frames wait meanwhile: do not query so slow a device again, and discard its reading.
        guard context.clock.now - began > ExposureSettling.slowToBegin else { return }
        reader = ControlReader()
        device.clock.exposure = nil
    }
}

/// Privacy shutter of a camera, if it reports one (`V4L2_CID_PRIVACY`); on the camera's thread.
final class PrivacyShutter {
    private let context: CameraContext
    private(set) var isClosed = false
    /// Time at which the shutter last changed; earlier exposures may be behind a closed shutter.
    private var changed = MonotonicTime(nanoseconds: .min)
    private var readAt = MonotonicTime.never

    /// Query interval while it is closed: not every driver reports its opening.
    private static let interval = Duration.seconds(1)

    init(_ context: CameraContext) { self.context = context }

    func hides(_ stamp: FrameStamp) -> Bool { stamp.exposureStart < changed }

    /// Reads the shutter; `isNew` discards the state of the previous device; throws if the device is gone.
    func read(of device: any CaptureDevice, isNew: Bool = false) throws(DeviceError) {
        context.published.updateControls { _ in }
        readAt = context.clock.now
        do throws(DeviceError) {
            if let isClosed = try DeviceControls(of: device).watchShutter() { set(closed: isClosed) } else { forget() }
        } catch {
            if case .disconnected = error { throw error }
            // Keep the last state read from this device.
            if isNew { forget() }
            context.logger.debug("the privacy shutter cannot be read", metadata: ["error": "\(error)"])
        }
    }

    /// Discards the state of the previous device's shutter: this camera has none.
    private func forget() {
        isClosed = false
        context.published.update { $0.controls?.isShutterClosed = nil }
    }

    func set(closed isClosed: Bool) {
        let isNews = self.isClosed != isClosed
        if isNews { (self.isClosed, changed) = (isClosed, context.clock.now) }
        // Before the state is published.
        if isNews, isClosed { context.dispatcher.forgetFrames() }
        context.published.updateControls { $0.isShutterClosed = isClosed }
        if isNews { context.logger.notice(isClosed ? "the privacy shutter is closed" : "the privacy shutter is open") }
    }

    /// Fails waiting clients if the shutter is closed, since the pictures would be dark; rereads it at most once a
    /// second.
    func refusesFrames(of device: any CaptureDevice) throws(DeviceError) -> Bool {
        guard isClosed, context.dispatcher.need.isAwaited else { return isClosed }
        if context.clock.now - readAt >= Self.interval { try read(of: device) }
        guard isClosed else { return false }
        let problem = Problem(
            .noSignal,
            "The privacy shutter of the camera \(context.name) is closed: its pictures would be dark.",
            remedy: "Open the shutter, or press the camera's privacy key; where the camera lets itself be told, "
                + "“tintype controls set \(context.name) privacy=off” opens it.",
            retryAfter: .seconds(1)
        )
        context.dispatcher.change { $0.subscribers.fail(problem) }
        return true
    }
}
