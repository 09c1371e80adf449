// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import TintypeDevice
internal import TintypeModel

/// Switches of a session to the largest size and back; see ``SessionRule``.
enum FullSizeSwitch {
    static func fail(_ problem: Problem, _ context: CameraContext) {
        context.dispatcher.change { $0.subscribers.failLargest(problem) }
    }

    /// Opens a closed device at its largest size; others who wait are served afterwards.
    static func open(_ session: isolated SessionLoop, othersWait: Bool) async {
        let error = await session.openDevice(keepsClients: othersWait, isFullSize: true)
        if let error, othersWait { fail(error.problem, session.context) }
    }

    static func interrupt(_ session: isolated SessionLoop) async {
        // Otherwise a burst has begun meanwhile, or the device has failed: the next turn decides again.
        guard await session.thread.run({ $0.closeForGap() }) == true else { return }
        session.context.logger.info("interrupting the stream for a still of the largest size")
        guard let error = await session.openDevice(keepsClients: true, isFullSize: true) else { return }
        fail(error.problem, session.context)
        await returnToUsual(session, nil)
    }

    /// Returns to the usual size, or closes the device if it was opened for the largest alone.
    static func returnToUsual(_ session: isolated SessionLoop, _ problem: FullSizeProblem?) async {
        if let problem { fail(problem.problem(of: session.context.name), session.context) }
        if session.context.gaps.began != nil || session.rule.isWanted {
            await session.openDevice(keepsClients: true)
        } else {
            await session.close()
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
