// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Next step of a session, by its phase, the uses of its camera and its clients; a value without clock.
///
/// Full-size stills: the stream is stopped, restarted at the largest size for all waiting clients of that, and then
/// restored; clients of the usual size keep waiting meanwhile.
struct SessionRule {
    enum Step: Hashable {
        case open
        /// Open the device that was closed for a source change; clients keep waiting if that fails.
        case reopen
        /// Open the closed device at its largest size, without a stream to interrupt; others may wait for the usual one.
        case openAtLargest(othersWait: Bool)
        case interruptForLargest
        /// Return to the usual size: all clients have their pictures, or fail with the problem.
        case returnToUsual(FullSizeProblem?)
        case refuseLargest(FullSizeProblem)
        case close
        /// Wait for a client, without further attempts.
        case giveUp
    }

    let phase: Phase
    let use: CameraUse
    let warmth: Warmth
    /// See ``SessionConfiguration/allowsGap``.
    let allowsGap: Bool
    let need: CameraNeed
    /// Time of the last use by a client.
    let lastUse: MonotonicTime
    let now: MonotonicTime

    /// Maximum time that clients of the usual size are kept waiting.
    static let longestGap = Duration.seconds(30)

    /// True if the device must be open.
    var isWanted: Bool { use.keepsOpen(warmth) || need.isAwaited }

    /// Time that an unused device stays open; nil for ever.
    private var linger: Duration? { use.lingering(warmth) }
    private var isLingering: Bool { linger.map { now < lastUse + $0 } ?? true }

    /// Time at which an idle device is closed; nil for never.
    private var idleEnd: MonotonicTime? { need.isInDemand ? nil : linger.map { lastUse + $0 } }

    /// True if the stream lingers for so long that polling for clients is cheaper than a wake-up by each.
    var outlastsClients: Bool {
        guard let stream = phase.stream, !stream.isFullSize else { return false }
        return linger.map { $0 >= .seconds(1) } ?? true
    }

    /// Nil for nothing to do.
    var step: Step? {
        switch phase {
        case .opening, .ended: return nil
        case .off: return isWanted ? opening : nil
        case .streaming(let stream):
            if let step = fullSizeStep(stream) { return step }
            return idleEnd.map { now >= $0 } ?? false ? .close : nil
        // A camera closed for a source change lingers as an open one does.
        case .reopening(let moment):
            guard isWanted || isLingering else { return .giveUp }
            return now >= moment ? .reopen : nil
        case .interrupted(let interruption):
            guard isWanted else { return .giveUp }
            return allowsAttempt(after: interruption) ? opening : nil
        case .failed(let interruption): return isWanted && allowsAttempt(after: interruption) ? opening : nil
        }
    }

    /// True at the next attempt, or earlier for a waiting client, but not for every request.
    private func allowsAttempt(after interruption: Interruption) -> Bool {
        now >= interruption.nextAttempt || need.isUrgent && now >= interruption.earliest
    }

    private var opening: Step {
        let isAtLargest = need.awaitsLargest && (allowsGap || !(use.keepsOpen(warmth) || need.awaitsUsual))
        return isAtLargest ? .openAtLargest(othersWait: need.awaitsUsual) : .open
    }

    private func fullSizeStep(_ stream: CaptureStream) -> Step? {
        if stream.isFullSize {
            guard need.isLargestInDemand else { return .returnToUsual(nil) }
            return now - stream.began >= Self.longestGap ? .returnToUsual(.tookTooLong) : nil
        }
        // A stream of the largest size serves all clients.
        guard stream.hasGivenFrame, need.awaitsLargest, !stream.isLargest else { return nil }
        guard allowsGap else { return .refuseLargest(.forbidden) }
        return need.isInBurst ? .refuseLargest(.burst) : .interruptForLargest
    }

    /// Time of the next step without an event; nil for never.
    var nextWake: MonotonicTime? {
        switch phase {
        case .streaming(let stream):
            if stream.isFullSize { return stream.began + Self.longestGap }
            return idleEnd ?? (outlastsClients ? linger.map { now + $0 } : nil)
        case .reopening(let moment): return moment
        // Serve clients that came just before the device was closed.
        case .off: return need.isAwaited ? now : nil
        case .opening, .interrupted, .failed, .ended:
            // A client that came right after a failure.
            let soon = need.isUrgent ? max(now + RetrySchedule.untilReady, phase.interruption?.earliest ?? now) : nil
            guard isWanted, let nextAttempt = phase.interruption?.nextAttempt else { return soon }
            return soon.map { min($0, nextAttempt) } ?? nextAttempt
        }
    }
}
