// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

extension DeviceSide {
    /// How long what the device said of its exposure is taken as what it would say now.
    private static let exposureInterval = Duration.milliseconds(500)

    /// Asks the device for its exposure while a client waits for a frame: what a camera with automatics says holds for
    /// the frames of that moment, and asking takes a USB camera a millisecond or more.
    func readExposureIfDue() {
        let began = MonotonicTime.now()
        guard let camera, hub.isInDemand,
            began - camera.controls.exposureReadAt >= Self.exposureInterval
        else { return }
        camera.controls.exposureReadAt = began
        let controls = DeviceControls(of: camera.device)
        do throws(DeviceError) {
            let known: [ControlDescription]
            switch camera.controls.exposureControls {
            case .some(let found): known = found
            case .none: known = try controls.exposureControls()
            }
            camera.controls.exposureControls = known
            guard !known.isEmpty else { return }
            let reading = try controls.exposure(by: known)
            hub.update { $0.exposure = reading }
            if let time = reading.time { camera.device.clock.exposure = time }
            // Frames wait meanwhile: a device that takes so long is not asked again.
            if MonotonicTime.now() - began > SettleWork.slowToBegin { camera.controls.exposureControls = [] }
        } catch {
            fail(error)
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
