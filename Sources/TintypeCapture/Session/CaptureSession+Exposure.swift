// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

extension CaptureSession {
    /// How long what the device said of its exposure is taken as what it would say now.
    private static let exposureInterval = Duration.milliseconds(500)

    /// Asks the device for its exposure while a client waits for a frame: what a camera with automatics says holds for
    /// the frames of that moment, and asking takes a USB camera a millisecond or more.
    func readExposureIfDue() {
        let began = MonotonicTime.now()
        guard let stream = phase.stream, let device = stream.device, hub.isInDemand,
            began - stream.controls.exposureReadAt >= Self.exposureInterval
        else { return }
        stream.controls.exposureReadAt = began
        let controls = DeviceControls(of: device)
        do throws(DeviceError) {
            let known: [ControlDescription]
            switch stream.controls.exposureControls {
            case .some(let found): known = found
            case .none: known = try controls.exposureControls()
            }
            stream.controls.exposureControls = known
            guard !known.isEmpty else { return }
            let reading = try controls.exposure(by: known)
            hub.update { $0.exposure = reading }
            if let time = reading.time { device.clock.exposure = time }
            // Frames wait meanwhile: a device that takes so long is not asked again.
            if MonotonicTime.now() - began > SettleWork.slowToBegin { stream.controls.exposureControls = [] }
        } catch {
            interrupt(error)
        }
    }
}

extension SessionSnapshot {
    /// How far apart a frame and what the device said of its exposure may be to belong together.
    private static let exposureReach = Duration.seconds(2)

    /// What the device said of its exposure around `moment`; nil if it was not asked then.
    func exposure(around moment: MonotonicTime) -> ExposureReading? {
        guard let exposure, exposure.readAt - moment <= Self.exposureReach,
            moment - exposure.readAt <= Self.exposureReach
        else { return nil }
        return exposure
    }
}
