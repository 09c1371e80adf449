// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// Controls of an open device: keeps the desired settings, detects changes by others, and reads exposure and focus; on
/// the camera's thread.
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
    /// Maximum age of an exposure and focus reading.
    private static let readingInterval = Duration.milliseconds(500)

    init(of device: any CaptureDevice, _ shutter: PrivacyShutter, _ context: CameraContext) {
        (self.device, self.shutter, self.context) = (device, shutter, context)
    }

    var driver: DeviceControls { DeviceControls(of: device) }

    // MARK: - Settings

    /// Sets the desired controls on the device where its values differ.
    ///
    /// Called before the stream starts, for the first frame, and again afterwards, since some cameras reset controls to
    /// defaults at `VIDIOC_STREAMON`. Throws only if the device is gone; logs other errors.
    func keep(_ wishes: ControlSettings) throws(DeviceError) {
        guard !wishes.isEmpty else { return }
        do throws(DeviceError) {
            report(unfulfilled: try driver.apply(wishes, onlyWhereDifferent: true))
        } catch {
            if case .disconnected = error { throw error }
            context.logger.warning("the controls could not be set: \(error)")
        }
    }

    /// Publishes the settings that were not accepted, and logs those that were not published before.
    func report(unfulfilled outcomes: [ControlOutcome]) {
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
    }

    // MARK: - Changes by others

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

    /// Rereads the watched controls after tintype set them, so that the side effects do not count as foreign changes.
    func refresh() throws(DeviceError) {
        guard known != nil else { return }
        known = Dictionary(try driver.lasting().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Counts, publishes and logs control changes made by others (`V4L2_EVENT_CTRL`).
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

    // MARK: - Readings

    /// Reads exposure and focus, which are valid only for the frames of that moment, if they were not read just before;
    /// a query takes a USB camera a millisecond or more.
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
