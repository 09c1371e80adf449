// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// State machine of a session, with the data of each phase; the test PhaseTests has its table.
enum Phase {
    case off
    case opening
    case streaming(CaptureStream)
    /// The device is closed for a source change and will be reopened at the given time.
    case reopening(at: MonotonicTime)
    /// The device is closed after a failure and will be retried.
    case interrupted(Interruption)
    /// The device is closed after a failure and is not retried before a client asks.
    case failed(Interruption)
    case ended

    enum Event {
        /// An attempt to open the device begins, closing the current stream.
        case opens
        case streams(CaptureStream)
        case fails(Interruption, isRetried: Bool)
        case sourceChanges(reopensAt: MonotonicTime)
        case closes
        case givesUp
        case ends
    }

    /// Phase after an event; nil for an illegal one.
    func after(_ event: Event) -> Phase? {
        switch (self, event) {
        case (.ended, _): nil
        case (.opening, .streams(let stream)): .streaming(stream)
        case (.opening, .fails(let outage, let isRetried)), (.streaming, .fails(let outage, let isRetried)):
            isRetried ? .interrupted(outage) : .failed(outage)
        case (.opening, _), (_, .streams), (_, .fails): nil
        case (_, .opens): .opening
        case (.streaming, .sourceChanges(let moment)): .reopening(at: moment)
        case (_, .sourceChanges): nil
        case (_, .closes): .off
        case (.off, .givesUp), (.reopening, .givesUp): .off
        case (.interrupted(let interruption), .givesUp), (.failed(let interruption), .givesUp): .failed(interruption)
        case (.streaming, .givesUp): nil
        case (_, .ends): .ended
        }
    }

    /// The current stream, if any; setting it is ignored in other phases.
    var stream: CaptureStream? {
        get { if case .streaming(let stream) = self { stream } else { nil } }
        set { if case .streaming = self, let newValue { self = .streaming(newValue) } }
    }

    /// The failure for which the device is closed, if any; setting it is ignored in other phases.
    var interruption: Interruption? {
        get {
            switch self {
            case .interrupted(let interruption), .failed(let interruption): interruption
            case .off, .opening, .streaming, .reopening, .ended: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .interrupted: self = .interrupted(newValue)
            case .failed: self = .failed(newValue)
            case .off, .opening, .streaming, .reopening, .ended: break
            }
        }
    }

    var hasEnded: Bool { if case .ended = self { true } else { false } }

    func state(by clock: any MonotonicClock) -> SessionState {
        switch self {
        case .off, .ended: .off
        case .opening, .reopening: .opening
        case .streaming(let stream): stream.isSettlingAwaited ? .settling : .running
        case .interrupted(let outage):
            .interrupted(reason: outage.reason, since: outage.since, nextAttempt: clock.wall(at: outage.nextAttempt))
        case .failed(let outage): .failed(reason: outage.reason)
        }
    }

    var name: String {
        switch self {
        case .off: "off"
        case .opening: "opening"
        case .streaming: "streaming"
        case .reopening: "reopening"
        case .interrupted: "interrupted"
        case .failed: "failed"
        case .ended: "ended"
        }
    }
}

struct Interruption {
    let reason: Problem
    /// Begin of the outage, which may have had several failed attempts.
    let since: Timestamp
    var nextAttempt: MonotonicTime
    /// Earliest time of an attempt triggered by a client.
    let earliest: MonotonicTime
}

/// A running stream as seen by the session; the device belongs to the camera's thread (``OpenCamera``).
struct CaptureStream {
    let number: UInt64
    let began: MonotonicTime
    let format: CaptureFormat
    let largestSize: FrameSize?
    /// True for a stream of the largest size, opened for full-size stills in place of the usual size.
    let isFullSize: Bool
    var hasGivenFrame = false
    /// True while the first good frame is pending or a client waits for settled frames.
    var isSettlingAwaited = true

    var isLargest: Bool { largestSize.map { $0.area <= format.size.area } ?? false }
}

/// Next step of a session, by its phase, the uses of its camera and its clients; a value without clock.
struct SessionRule {
    enum Step: Hashable {
        case open
        /// Open the device that was closed for a source change; clients keep waiting if that fails.
        case reopen
        /// Open the closed device at its largest size; others may wait for the usual one.
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
    let allowsGap: Bool
    let need: CameraNeed
    let lastUse: MonotonicTime
    let now: MonotonicTime

    /// Maximum time that clients of the usual size are kept waiting.
    static let longestGap = Duration.seconds(30)

    var isWanted: Bool { use.keepsOpen(warmth) || need.isAwaited }
    private var linger: Duration? { use.lingering(warmth) }
    private var isLingering: Bool { linger.map { now < lastUse + $0 } ?? true }
    private var idleEnd: MonotonicTime? { need.isInDemand ? nil : linger.map { lastUse + $0 } }

    /// True if the stream lingers for so long that polling for clients is cheaper than a wake-up by each.
    var outlastsClients: Bool {
        guard let stream = phase.stream, !stream.isFullSize else { return false }
        return linger.map { $0 >= .seconds(1) } ?? true
    }

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
