// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel

extension CaptureSession {
    /// Takes the device's waiting events and does what each asks for.
    ///
    /// - Returns: whether the stream goes on; false where it was ended, so that nothing of it may be used any more.
    func act(onEventsOf device: any CaptureDevice) throws(DeviceError) -> Bool {
        let events = try device.events()
        try recordForeignChanges(events, of: device)
        guard events.contains(.sourceChanged) || events.contains(.endOfStream) else { return true }
        logger.notice("the source has changed")
        // What is held has the old size. Waiting clients go on waiting, within their deadlines.
        enter(.sourceChanges(reopensAt: recovery.sourceChanged(now: .now())))
        return false
    }
}
