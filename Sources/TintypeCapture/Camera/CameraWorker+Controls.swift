// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// Control handling that no client asks for.
extension CameraWorker {
    /// Time from opening until the controls of a camera in constant demand are watched.
    private static let watchDelay = Duration.seconds(2)

    /// Sets the desired controls on the device where its values differ.
    ///
    /// Called before the stream starts, for the first frame, and again afterwards, since some cameras reset controls to
    /// defaults at `VIDIOC_STREAMON`. Throws only if the device is gone; logs other errors.
    func keep(_ wishes: ControlSettings, of device: any CaptureDevice) throws(DeviceError) {
        guard !wishes.isEmpty else { return }
        do throws(DeviceError) {
            report(unfulfilled: try DeviceControls(of: device).apply(wishes, onlyWhereDifferent: true))
        } catch {
            if case .disconnected = error { throw error }
            logger.warning("the controls could not be set: \(error)")
        }
    }

    func report(unfulfilled outcomes: [ControlOutcome]) {
        let unfulfilled = outcomes.filter { !$0.isFulfilled }
        context.publishControls { $0.unfulfilled = unfulfilled }
        defer { lastUnfulfilled = unfulfilled }
        for outcome in unfulfilled {
            logger.log(
                level: lastUnfulfilled.contains(outcome) ? .debug : .warning,
                "the control \(outcome.name) could not be set as requested: \(outcome.detail ?? "")",
                metadata: [
                    "control": "\(outcome.name)", "result": "\(outcome.result.rawValue)",
                    "asked": "\(outcome.asked?.description ?? "")", "value": "\(outcome.value?.description ?? "")",
                ]
            )
        }
    }

    /// Runs `body` with the device's controls.
    ///
    /// A closed device is opened for it, given the desired controls, and closed again. If `body` changes controls,
    /// settling restarts.
    func withControls<Value>(
        keeping wishes: ControlSettings,
        changesThem changes: Bool,
        _ body: (CameraWorker, DeviceControls) throws(DeviceError) -> Value
    ) throws(DeviceError) -> Value {
        guard let camera else {
            let device = try context.open(context.calls)
            // Cameras lose their settings when closed: report the values that the next picture will have.
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

    /// Latest time to start watching the controls; nil if they are watched already, before the first good frame, and
    /// while a client waits for settled frames.
    var watchTime: MonotonicTime? {
        guard let camera, camera.controls.known == nil, !camera.settling.isAwaited else { return nil }
        return camera.plan.began + Self.watchDelay
    }

    /// Starts watching for foreign control changes once the first frame is delivered: querying all controls takes a USB
    /// camera many milliseconds.
    func watchControlsIfDue() {
        guard let camera, let watchTime,
            camera.plan.staysOpen && !dispatcher.need.isInDemand || clock.now >= watchTime
        else { return }
        camera.controls.known = [:]
        let controls = DeviceControls(of: camera.device)
        do throws(DeviceError) {
            // Subscribe before reading: a change in between is then either an event or in the values read.
            let list = try controls.lasting()
            controls.watch(list)
            let known = Self.byNumber(try controls.lasting())
            camera.controls.known = known
            if let privacy = known[ControlNumber.privacy]?.value { shutterIs(closed: privacy == .boolean(true)) }
        } catch {
            if case .disconnected = error { return fail(error) }
            logger.warning("the controls cannot be watched for changes: \(error)")
        }
    }

    /// Rereads the controls after tintype set them, so that the side effects do not count as foreign changes.
    func refreshKnownControls(of camera: OpenCamera) throws(DeviceError) {
        guard camera.controls.known != nil else { return }
        camera.controls.known = Self.byNumber(try DeviceControls(of: camera.device).lasting())
    }

    private static func byNumber(_ controls: [ControlDescription]) -> [UInt32: ControlDescription] {
        Dictionary(controls.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

/// Changes of controls and of the privacy shutter by other programs or by the camera.
extension CameraWorker {
    /// Counts, publishes and logs control changes made by others (`V4L2_EVENT_CTRL`).
    func recordForeignChanges(_ events: [DeviceEvent], of device: any CaptureDevice) throws(DeviceError) {
        for case .controlChanged(let id, let number, let isRedefined) in events {
            if id == ControlNumber.privacy, let number { shutterIs(closed: number != 0) }
            guard let camera, var control = camera.controls.known?[id] else { continue }
            let controls = DeviceControls(of: device)
            if isRedefined { control = try controls.refreshed(control) }
            let before = control.value
            // A volatile value, such as the gain under automatic gain, changes by itself.
            control.value = control.has(.volatile) ? nil : try controls.value(of: control) ?? before
            camera.controls.known?[id] = control
            // The event may result from our own setting, and its value may be stale: for a control that depends on one
            // that we set, uvcvideo reports the value from before.
            guard number != nil, let value = control.value, value != before else { continue }
            let change = ControlChange(name: control.name, from: before, to: value, at: clock.wall)
            context.publishControls { status in
                status.foreignChanges += 1
                status.lastForeignChange = change
            }
            context.tell(.controls([change.name: value], of: context.name, by: "by another program or by the camera"))
            logger.notice(
                "the control \(change.name) was changed by another program or by the camera",
                metadata: [
                    "control": "\(change.name)", "from": "\(change.from?.description ?? "")", "to": "\(change.to)",
                ]
            )
        }
    }

    /// Reads the privacy shutter; `isNew` discards the state of the previous device; throws if the device is gone.
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
            // Keep the last state read from this device.
            if isNew { forgetShutter() }
            logger.debug("the privacy shutter cannot be read", metadata: ["error": "\(error)"])
        }
    }

    /// Discards the state of the previous device's shutter: this camera has none.
    private func forgetShutter() {
        shutter.forget()
        published.update { $0.controls?.isShutterClosed = nil }
    }

    func shutterIs(closed isClosed: Bool) {
        let isNews = shutter.set(closed: isClosed, now: clock.now)
        // Before the state is published.
        if isNews, isClosed { dispatcher.forgetFrames() }
        context.publishControls { $0.isShutterClosed = isClosed }
        guard isNews else { return }
        logger.notice(isClosed ? "the privacy shutter is closed" : "the privacy shutter is open")
    }

    /// Fails waiting clients if the privacy shutter is closed: no image can be captured then (`V4L2_CID_PRIVACY`), and
    /// dark pictures that a camera delivers nevertheless are not used.
    ///
    /// - Returns: True if the shutter is closed, or the device was lost while reading it.
    func refuseBehindShutter() -> Bool {
        guard shutter.isClosed else { return false }
        guard dispatcher.need.isAwaited else { return true }
        do throws(DeviceError) {
            try rereadShutter()
        } catch {
            fail(error)
            return true
        }
        guard shutter.isClosed else { return false }
        let problem = Problem(
            .noSignal,
            "The privacy shutter of the camera \(context.name) is closed: its pictures would be dark.",
            remedy: "Open the shutter, or press the camera's privacy key; where the camera lets itself be told, "
                + "“tintype controls set \(context.name) privacy=off” opens it.",
            retryAfter: .seconds(1)
        )
        dispatcher.change { $0.subscribers.fail(problem) }
        return true
    }

    /// Rereads the shutter at most once a second: not every driver reports its opening.
    private func rereadShutter() throws(DeviceError) {
        guard let device = camera?.device, shutter.isToBeAsked(now: clock.now) else { return }
        try readShutter(of: device)
    }
}
