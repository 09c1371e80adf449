// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel

extension CaptureSession {
    /// How long a source that has changed may take to settle: a screen that switches goes through no signal and no lock.
    private static let sourcePatience = Duration.seconds(2)
    /// A device that tells one change after the other is not followed more often than this.
    private static let shortestFollowing = Duration.milliseconds(100)
    /// How often an input without a picture is looked at.
    private static let signalInterval = Duration.seconds(1)

    /// Takes the device's waiting events and does what each asks for.
    ///
    /// - Returns: whether the stream goes on; false where it was ended, so that nothing of it may be used any more.
    func act(onEventsOf device: any CaptureDevice) throws(DeviceError) -> Bool {
        let events = try device.events()
        try note(events, of: device)
        if events.contains(.sourceChanged) || events.contains(.endOfStream) {
            followSource()
            return false
        }
        return true
    }

    /// Ends the stream, to be negotiated again: what is held has the old size.
    ///
    /// The device is not opened here: the caller that took the events still holds the one that is closed. Waiting
    /// clients go on waiting, within their deadlines.
    private func followSource() {
        logger.notice("the source has changed")
        let isStorm = sourceChangedAt.map { MonotonicTime.now() - $0 < Self.shortestFollowing } ?? false
        sourceChangedAt = .now()
        closeDevice()
        if isStorm {
            enter(isWanted ? .opening : .off)
            nextAttempt = .now() + Self.shortestFollowing
            interruptedSince = .now()
        } else {
            isToReopen = true
        }
    }

    /// Opens the device again whose source has changed.
    func reopenAfterChange() {
        guard isToReopen else { return }
        isToReopen = false
        openDevice(keepsDemands: true)
    }

    /// When an input without a picture is tried again, and whether waiting clients go on waiting; nil for other errors.
    func signalRetry(after error: DeviceError) -> (delay: Duration, keepsDemands: Bool)? {
        guard case .noSignal = error else { return nil }
        let isSettling = sourceChangedAt.map { MonotonicTime.now() - $0 < Self.sourcePatience } ?? false
        return isSettling ? (Self.shortestFollowing, true) : (Self.signalInterval, false)
    }
}
