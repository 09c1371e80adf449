// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel

/// What a session does about controls by itself.
extension CaptureSession {
    /// How long a camera that is always in demand may go without its controls being watched.
    private static let watchDelay = Duration.seconds(2)

    /// Gives the device what is wished of its controls, where it does not have it already.
    ///
    /// Called before and after the stream starts: before, so that the first frame is as wished; after, since cameras
    /// fall back to their defaults when it does. Throws only that the device is gone.
    func keepControls(of device: any CaptureDevice) throws(DeviceError) {
        let wishes = controlState.wishes
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
        publishControls { $0.unfulfilled = unfulfilled }
        defer { controlState.lastUnfulfilled = unfulfilled }
        for outcome in unfulfilled {
            logger.log(
                level: controlState.lastUnfulfilled.contains(outcome) ? .debug : .warning,
                "the control \(outcome.name) is not as wished: \(outcome.detail ?? "")",
                metadata: [
                    "control": "\(outcome.name)", "result": "\(outcome.result.rawValue)",
                    "asked": "\(outcome.asked?.description ?? "")", "value": "\(outcome.value?.description ?? "")",
                ]
            )
        }
    }

    /// Applies what another configuration wishes.
    func adoptConfiguredControls() {
        guard controlState.configured != configuration.controls else { return }
        controlState.configure(configuration.controls)
        guard let stream = phase.stream, let device = stream.device else { return }
        do throws(DeviceError) {
            try keepControls(of: device)
            restartSettling()
            try refreshKnownControls(of: stream, device)
        } catch {
            interrupt(error)
        }
    }

    /// When the controls are watched at the latest; nil where they are already, or no frame has come yet.
    var watchTime: MonotonicTime? {
        guard let stream = phase.stream, stream.controls.known == nil else { return nil }
        guard !stream.isSettlingAwaited else { return nil }
        return stream.began + Self.watchDelay
    }

    /// Begins to watch what others do to the controls, once a camera is up and its first frame is out: asking for all
    /// controls takes a USB camera many milliseconds.
    func watchControlsIfDue() {
        guard let stream = phase.stream, let device = stream.device, let watchTime,
            !hub.isInDemand || MonotonicTime.now() >= watchTime
        else { return }
        stream.controls.known = [:]
        let controls = DeviceControls(of: device)
        do throws(DeviceError) {
            // Watched first: a change between the two is one that is told or one that is read.
            let list = try controls.lasting()
            controls.watch(list)
            let known = Self.byNumber(try controls.lasting())
            stream.controls.known = known
            if let privacy = known[ControlNumber.privacy]?.value {
                shutterIs(closed: privacy == .boolean(true))
            }
        } catch {
            if case .disconnected = error { return interrupt(error) }
            logger.warning("changes of controls cannot be noticed: \(error)")
        }
    }

    /// Reads the controls after they were set by us: what comes of that is no foreign change.
    func refreshKnownControls(of stream: CaptureStream, _ device: any CaptureDevice) throws(DeviceError) {
        guard stream.controls.known != nil else { return }
        stream.controls.known = Self.byNumber(try DeviceControls(of: device).lasting())
    }

    /// Publishes the profile that was applied.
    func publishControls() {
        publishControls { [name = controlState.profile?.name] in $0.profile = name }
    }

    /// Changes what is published of the controls.
    func publishControls(_ change: (inout ControlStatus) -> Void) {
        hub.update { snapshot in
            var status = snapshot.controls ?? ControlStatus()
            change(&status)
            snapshot.controls = status
        }
    }

    private static func byNumber(_ controls: [ControlDescription]) -> [UInt32: ControlDescription] {
        Dictionary(controls.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
