// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

extension CaptureSession {
    /// Tells the session that a device has come, gone or changed: if it waits for its next attempt, it makes it at once.
    ///
    /// Any thread; never blocks. Opens no camera that is not wanted, and leaves one that is open alone.
    package nonisolated func retryNow() {
        context.inbox.askForRetry()
    }

    /// Makes the next attempt due, and those after it as soon as after a first failure, if that was asked for.
    func attemptIfAsked() {
        guard context.inbox.takeRetry(), phase.interruption != nil else { return }
        recovery.beginAgain()
        attempt(at: .now())
    }
}
