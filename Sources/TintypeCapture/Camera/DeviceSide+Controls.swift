// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// What is done about controls though no client asks for it.
extension DeviceSide {
    /// How long a camera that is always in demand may go without its controls being watched.
    private static let watchDelay = Duration.seconds(2)

    /// Gives the device what is wished of its controls, where it does not have it already.
    ///
    /// Called before and after the stream starts: before, so that the first frame is as wished; after, since cameras
    /// fall back to their defaults when it does. Throws only that the device is gone.
    func keep(_ wishes: ControlSettings, of device: any CaptureDevice) throws(DeviceError) {
        guard !wishes.isEmpty else { return }
        do throws(DeviceError) {
            report(unfulfilled: try DeviceControls(of: device).apply(wishes, onlyWhereDifferent: true))
        } catch {
            if case .disconnected = error { throw error }
            logger.warning("the controls could not be set: \(error)")
        }
    }

    /// Publishes and logs what the device did not fulfil; the same again is of no interest.
    func report(unfulfilled outcomes: [ControlOutcome]) {
        let unfulfilled = outcomes.filter { !$0.isFulfilled }
        context.publishControls { $0.unfulfilled = unfulfilled }
        defer { lastUnfulfilled = unfulfilled }
        for outcome in unfulfilled {
            logger.log(
                level: lastUnfulfilled.contains(outcome) ? .debug : .warning,
                "the control \(outcome.name) is not as wished: \(outcome.detail ?? "")",
                metadata: [
                    "control": "\(outcome.name)", "result": "\(outcome.result.rawValue)",
                    "asked": "\(outcome.asked?.description ?? "")", "value": "\(outcome.value?.description ?? "")",
                ]
            )
        }
    }

    /// Does something with the device's controls; one that is closed is opened for it, given what is wished, and closed
    /// again.
    ///
    /// Where it changes them, frames settle again.
    func withControls<Value>(
        keeping wishes: ControlSettings,
        changesThem changes: Bool,
        _ body: (DeviceSide, DeviceControls) throws(DeviceError) -> Value
    ) throws(DeviceError) -> Value {
        guard let camera else {
            let device = try context.open(context.calls)
            // Cameras forget what was set when they are closed: what is asked about is what the next picture has.
            try keep(wishes, of: device)
            return try body(self, DeviceControls(of: device))
        }
        do throws(DeviceError) {
            let value = try body(self, DeviceControls(of: camera.device))
            if changes { restartSettling() }
            try refreshKnownControls(of: camera)
            try readShutter(of: camera.device)
            return value
        } catch {
            if case .disconnected = error { fail(error) }
            throw error
        }
    }

    /// Gives the device what is wished of its controls from now on, if one is open.
    func changeControls(to wishes: ControlSettings) {
        guard let camera else { return }
        do throws(DeviceError) {
            try keep(wishes, of: camera.device)
            restartSettling()
            try refreshKnownControls(of: camera)
        } catch {
            fail(error)
        }
    }

    /// When the controls are watched at the latest; nil where they are already, or no frame has come yet.
    var watchTime: MonotonicTime? {
        guard let camera, camera.controls.known == nil, !camera.settling.isAwaited else { return nil }
        return camera.plan.began + Self.watchDelay
    }

    /// Begins to watch what others do to the controls, once a camera is up and its first frame is out: asking for all
    /// controls takes a USB camera many milliseconds.
    func watchControlsIfDue() {
        guard let camera, let watchTime,
            camera.plan.staysOpen && !hub.isInDemand || clock.now >= watchTime
        else { return }
        camera.controls.known = [:]
        let controls = DeviceControls(of: camera.device)
        do throws(DeviceError) {
            // Watched first: a change between the two is one that is told or one that is read.
            let list = try controls.lasting()
            controls.watch(list)
            let known = Self.byNumber(try controls.lasting())
            camera.controls.known = known
            if let privacy = known[ControlNumber.privacy]?.value {
                shutterIs(closed: privacy == .boolean(true))
            }
        } catch {
            if case .disconnected = error { return fail(error) }
            logger.warning("changes of controls cannot be noticed: \(error)")
        }
    }

    /// Reads the controls after they were set by us: what comes of that is no foreign change.
    func refreshKnownControls(of camera: OpenCamera) throws(DeviceError) {
        guard camera.controls.known != nil else { return }
        camera.controls.known = Self.byNumber(try DeviceControls(of: camera.device).lasting())
    }

    private static func byNumber(_ controls: [ControlDescription]) -> [UInt32: ControlDescription] {
        Dictionary(controls.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

/// What others do to a camera's controls, and to its privacy shutter.
extension DeviceSide {
    /// Counts, publishes and logs changes that were not made through us (`V4L2_EVENT_CTRL`).
    func recordForeignChanges(_ events: [DeviceEvent], of device: any CaptureDevice) throws(DeviceError) {
        for case .controlChanged(let id, let number, let isRedefined) in events {
            if id == ControlNumber.privacy, let number { shutterIs(closed: number != 0) }
            guard let camera, var control = camera.controls.known?[id] else { continue }
            let controls = DeviceControls(of: device)
            if isRedefined { control = try controls.refreshed(control) }
            let before = control.value
            // A volatile value, as that of a gain while its automatic is on, changes by itself.
            control.value = control.has(.volatile) ? nil : try controls.value(of: control) ?? before
            camera.controls.known?[id] = control
            // An event may tell of what we have set ourselves, and its value may be old: for a control that depends on one
            // that we have set, uvcvideo tells the value from before that.
            guard number != nil, let value = control.value, value != before else { continue }
            let change = ControlChange(name: control.name, from: before, to: value, at: clock.wall)
            context.publishControls { status in
                status.foreignChanges += 1
                status.lastForeignChange = change
            }
            context.tell(
                .controls([change.name: value], of: context.name, by: "by another program or by the camera")
            )
            logger.notice(
                "the control \(change.name) was changed by another program or by the camera",
                metadata: [
                    "control": "\(change.name)", "from": "\(change.from?.description ?? "")", "to": "\(change.to)",
                ]
            )
        }
    }

    /// Asks the device whether its shutter is closed; where it `isNew`, what is known is of the one before it.
    ///
    /// Throws that the device is gone.
    func readShutter(of device: any CaptureDevice, isNew: Bool = false) throws(DeviceError) {
        context.publishControls { _ in }
        shutter.ask(now: clock.now)
        do throws(DeviceError) {
            if let isClosed = try DeviceControls(of: device).watchShutter() {
                shutterIs(closed: isClosed)
            } else {
                forgetShutter()
            }
        } catch {
            if case .disconnected = error { throw error }
            // What it was when this device was last asked holds on.
            if isNew { forgetShutter() }
            logger.debug("the privacy shutter cannot be read", metadata: ["error": "\(error)"])
        }
    }

    /// The camera has no shutter: what a former one in its place had is over.
    private func forgetShutter() {
        shutter.forget()
        hub.update { $0.controls?.isShutterClosed = nil }
    }

    func shutterIs(closed isClosed: Bool) {
        let isNews = shutter.set(closed: isClosed, now: clock.now)
        // Before anybody is told.
        if isNews, isClosed { hub.forgetFrames() }
        context.publishControls { $0.isShutterClosed = isClosed }
        guard isNews else { return }
        logger.notice(isClosed ? "the privacy shutter is closed" : "the privacy shutter is open")
    }

    /// Tells waiting clients that the shutter is closed, if it is: by the driver interface no picture can be taken
    /// then, and a dark one is none.
    ///
    /// - Returns: whether it is closed, or the device was lost when it was asked.
    func refuseBehindShutter() -> Bool {
        guard shutter.isClosed else { return false }
        guard hub.isAwaited else { return true }
        do throws(DeviceError) {
            try rereadShutter()
        } catch {
            fail(error)
            return true
        }
        guard shutter.isClosed else { return false }
        hub.fail(
            Problem(
                .noSignal,
                "The privacy shutter of the camera \(context.name) is closed: its pictures would be dark.",
                remedy: "Open the shutter, or press the camera's privacy key; where the camera lets itself be told, "
                    + "“tintype controls set \(context.name) privacy=off” opens it.",
                retryAfter: .seconds(1)
            )
        )
        return true
    }

    /// Asks for the shutter again, once a second at most: not every driver tells that it was opened.
    private func rereadShutter() throws(DeviceError) {
        guard let device = camera?.device, shutter.isToBeAsked(now: clock.now) else { return }
        try readShutter(of: device)
    }
}
