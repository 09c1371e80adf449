// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

extension CameraContext {
    func failLargest(_ problem: Problem) { dispatcher.change { $0.subscribers.failLargest(problem) } }
}

enum FullSizeProblem {
    case forbidden, burst, tookTooLong

    func problem(of camera: String) -> Problem {
        let gap = "A still of the largest size would interrupt the stream of the camera \(camera)"
        return switch self {
        case .forbidden:
            Problem(
                .gapNotAllowed,
                "\(gap), which its configuration forbids.",
                remedy: "Leave size out, ask while the camera is off, or remove allowGap from cameras.\(camera) in "
                    + "tintyped's configuration."
            )
        case .burst:
            Problem(
                .gapNotAllowed,
                "\(gap), of which a burst is being taken.",
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

/// Interruptions of a camera's stream for full-size stills; any thread, never blocks.
final class StreamGaps: Sendable {
    private struct Gap {
        let began: MonotonicTime
        /// Number of the full-size stream; nil until it runs.
        var stream: UInt64?
        /// Nil while the interruption lasts.
        var duration: Duration?
        var replies: [Reply<Duration>] = []
    }

    private let last = Mutex<Gap?>(nil)
    private let clock: any MonotonicClock

    init(clock: any MonotonicClock) { self.clock = clock }

    func begin(at moment: MonotonicTime) {
        last.withLock { if $0 == nil || $0?.duration != nil { $0 = Gap(began: moment) } }
    }

    func register(stream: UInt64) { last.withLock { if $0?.duration == nil { $0?.stream = stream } } }

    /// Time of the last frame before the current interruption; nil if not interrupted.
    var began: MonotonicTime? { last.withLock { $0?.duration == nil ? $0?.began : nil } }

    /// Start of the interruption for `stream`, and a reply resolved with its duration once over; nil if unknown.
    func gap(of stream: UInt64) -> (began: MonotonicTime, reply: Reply<Duration>)? {
        last.withLock { last in
            guard let gap = last, gap.stream == stream else { return nil }
            let reply = Reply<Duration>(clock: clock)
            if let duration = gap.duration { reply.resolve(.success(duration)) } else { last?.replies.append(reply) }
            return (gap.began, reply)
        }
    }

    /// Ends the current interruption, if any; `recording` gets its duration before clients do.
    func end(at moment: MonotonicTime, recording record: (Duration) -> Void) {
        let (duration, replies) = last.withLock { last -> (Duration?, [Reply<Duration>]) in
            guard let gap = last, gap.duration == nil else { return (nil, []) }
            let duration = max(.zero, moment - gap.began)
            last?.duration = duration
            last?.replies = []
            return (duration, gap.replies)
        }
        guard let duration else { return }
        record(duration)
        for reply in replies { reply.resolve(.success(duration)) }
    }
}
