// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice

extension CaptureSession {
    /// Takes the device's waiting events and does what each asks for.
    ///
    /// - Returns: whether the stream goes on; false where it was ended, so that nothing of it may be used any more.
    func act(onEventsOf device: any CaptureDevice) throws(DeviceError) -> Bool {
        let events = try device.events()
        if events.contains(.sourceChanged) || events.contains(.endOfStream) {
            followSource()
            return false
        }
        return true
    }

    /// Ends the stream and negotiates anew: what is held has the old size.
    ///
    /// Those who wait go on waiting, within their deadlines.
    private func followSource() {
        logger.notice("the source has changed")
        closeDevice()
        openDevice(keepsDemands: true)
    }
}
