// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TintypeDevice
internal import TintypeModel

/// Full-size stills: the stream is stopped, restarted at the largest size for all waiting clients of that, and then
/// restored; clients of the usual size keep waiting meanwhile.
extension CaptureSession {
    /// True if a closed device is opened at its largest size, without a stream to interrupt.
    var opensAtLargest: Bool {
        guard dispatcher.need.awaitsLargest else { return false }
        return configuration.allowsGap || !(use.keepsOpen(configuration.warmth) || dispatcher.need.awaitsUsual)
    }

    /// Opens a closed device at its largest size; other waiting clients are served afterwards.
    func openAtLargest() async {
        let othersWait = dispatcher.need.awaitsUsual
        guard let error = await openDevice(keepsDemands: othersWait, isFullSize: true), othersWait else { return }
        failLargest(error.problem)
    }

    /// Switches to the largest size for clients that want it, and back once they have their pictures.
    func serveLargest() async {
        guard let stream = phase.stream else { return }
        switch FullSizeRule.step(
            for: stream,
            dispatcher.need,
            allowsGap: configuration.allowsGap,
            now: clock.now
        ) {
        case .nothing: return
        case .returnToUsual: await openAtUsual()
        case .giveUp:
            failLargest(tookTooLong)
            await openAtUsual()
        case .refuse(let reason): failLargest(refusal(reason))
        case .interrupt: await interruptForLargest()
        }
    }

    private func interruptForLargest() async {
        guard await thread.run({ $0.closeForGap() }) == true else {
            // A burst has begun meanwhile, or the device has failed: decide again in the next turn.
            return context.mailbox.wake()
        }
        logger.info("interrupting the stream for a still of the largest size")
        guard let error = await openDevice(keepsDemands: true, isFullSize: true) else { return }
        failLargest(error.problem)
        await openAtUsual()
    }

    /// Returns from the largest size to the usual one, or closes the device if it was opened for the largest alone.
    private func openAtUsual() async {
        if context.gaps.began != nil || isWanted { await openDevice(keepsDemands: true) } else { await close() }
    }

    private func failLargest(_ problem: Problem) { dispatcher.change { $0.subscribers.failLargest(problem) } }

    private func refusal(_ reason: FullSizeRule.Refusal) -> Problem {
        switch reason {
        case .forbidden:
            Problem(
                .gapNotAllowed,
                "A still of the largest size would interrupt the stream of the camera \(name), which its configuration forbids.",
                remedy: "Leave size out, ask while the camera is off, or remove allowGap from cameras.\(name) in "
                    + "tintyped's configuration."
            )
        case .burst:
            Problem(
                .gapNotAllowed,
                "A still of the largest size would interrupt the stream of the camera \(name), of which a burst is being taken.",
                remedy: "Ask again when the burst is over.",
                retryAfter: .seconds(1)
            )
        }
    }

    private var tookTooLong: Problem {
        Problem(
            .deadlineExceeded,
            "The camera \(name) gave no picture of its largest size that does within \(HumanDuration.text(FullSizeRule.longest)).",
            remedy: "Ask for less: settle never, or a lower integrity.",
            retryAfter: .seconds(1)
        )
    }
}
