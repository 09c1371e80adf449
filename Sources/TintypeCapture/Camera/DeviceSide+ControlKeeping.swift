// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel

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
        return camera.began + Self.watchDelay
    }

    /// Begins to watch what others do to the controls, once a camera is up and its first frame is out: asking for all
    /// controls takes a USB camera many milliseconds.
    func watchControlsIfDue() {
        guard let camera, let watchTime,
            camera.staysOpen && !hub.isInDemand || MonotonicTime.now() >= watchTime
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
