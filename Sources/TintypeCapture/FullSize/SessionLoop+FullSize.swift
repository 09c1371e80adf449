// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel

/// Switches of a session to the largest size and back; see ``SessionRule``.
extension SessionLoop {
    func failLargest(_ problem: Problem) { context.dispatcher.change { $0.subscribers.failLargest(problem) } }

    /// Opens a closed device at its largest size; others who wait are served afterwards.
    func openAtLargest(othersWait: Bool) async {
        let error = await openDevice(keepsClients: othersWait, isFullSize: true)
        if let error, othersWait { failLargest(error.problem) }
    }

    func interruptForLargest() async {
        // Otherwise a burst has begun meanwhile, or the device has failed: the next turn decides again.
        guard await thread.run({ $0.closeForGap() }) == true else { return }
        context.logger.info("interrupting the stream for a still of the largest size")
        guard let error = await openDevice(keepsClients: true, isFullSize: true) else { return }
        failLargest(error.problem)
        await returnToUsual(nil)
    }

    /// Returns to the usual size, or closes the device if it was opened for the largest alone.
    func returnToUsual(_ problem: FullSizeProblem?) async {
        if let problem { failLargest(problem.problem(of: context.name)) }
        if context.gaps.began != nil || rule.isWanted {
            await openDevice(keepsClients: true)
        } else {
            await close()
        }
    }
}

/// Reason why clients of the largest size get no picture.
enum FullSizeProblem: Hashable {
    case forbidden
    case burst
    case tookTooLong

    func problem(of camera: String) -> Problem {
        switch self {
        case .forbidden:
            Problem(
                .gapNotAllowed,
                "A still of the largest size would interrupt the stream of the camera \(camera), which its configuration forbids.",
                remedy: "Leave size out, ask while the camera is off, or remove allowGap from cameras.\(camera) in "
                    + "tintyped's configuration."
            )
        case .burst:
            Problem(
                .gapNotAllowed,
                "A still of the largest size would interrupt the stream of the camera \(camera), of which a burst is being taken.",
                remedy: "Ask again when the burst is over.",
                retryAfter: .seconds(1)
            )
        case .tookTooLong:
            Problem(
                .deadlineExceeded,
                "The camera \(camera) gave no picture of its largest size that does within "
                    + "\(HumanDuration.text(SessionRule.longestGap)).",
                remedy: "Ask for less: settle never, or a lower integrity.",
                retryAfter: .seconds(1)
            )
        }
    }
}
