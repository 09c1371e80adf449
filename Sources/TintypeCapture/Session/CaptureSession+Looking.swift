// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension CaptureSession {
    /// Tells the session that a device has come, gone or changed: if it waits for its next attempt, it makes it at once.
    ///
    /// Any thread; never blocks. Opens no camera that is not wanted, and leaves one that is open alone.
    package nonisolated func lookAgain() { post(.lookAgain) }

    /// Makes the next attempt due, and those after it as soon as after a first failure.
    func attemptAtOnce() {
        guard device == nil, nextAttempt != nil else { return }
        retry.reset()
        nextAttempt = .now()
    }

    /// The answer to clients that ask for a node that was just made and that udev has not been at yet.
    static func notReadyYet(_ problem: Problem) -> Problem {
        Problem(
            .deviceLost,
            "\(problem.detail) The node has just been made, and its permissions may not be set yet.",
            remedy: "Wait: it is opened as soon as they are.",
            retryAfter: RetrySchedule.untilReady
        )
    }
}
