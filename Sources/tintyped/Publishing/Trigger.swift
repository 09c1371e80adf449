// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeCapture
internal import TintypeModel
internal import TintypeSystem

/// Motion or a trigger, outside of which a ``StreamPublisher`` stores no frame; any thread, never blocks.
protocol Occasion: Sendable {
    /// True from the beginning until ``ends()``.
    var isOpen: Bool { get }
    /// Exposures of the frames to store, which may be in the ring; nil if there are none.
    var span: ClosedRange<MonotonicTime>? { get }
    /// True for a frame of the stream to store.
    func covers(_ moment: MonotonicTime) -> Bool
    /// Suspends while it is not open, until the task is cancelled; may return at `moment`.
    func begins(until moment: MonotonicTime) async
    /// Called by the publisher from time to time; true once the occasion is over, which may begin again any time.
    func ends() -> Bool
    /// Called once all frames are stored.
    func finish()
}

struct MotionOccasion: Occasion {
    let watch: MotionWatch
    /// Time before the motion from which frames of the ring are stored too.
    let before: Duration

    var isOpen: Bool { watch.isMoving }
    var span: ClosedRange<MonotonicTime>? { watch.began.map { ($0 - before)...MonotonicTime.distantFuture } }
    func covers(_ moment: MonotonicTime) -> Bool { watch.covers(moment) }
    func begins(until moment: MonotonicTime) async { await watch.wait(for: true, until: moment) }
    func ends() -> Bool { !watch.isMoving }
    func finish() {}
}

extension [ClosedRange<MonotonicTime>] {
    /// Adds `span`; returns the parts of it that were in none of these spans, which do not overlap, in order.
    mutating func take(_ span: ClosedRange<MonotonicTime>) -> Self {
        var (parts, start): (Self, MonotonicTime) = ([], span.lowerBound)
        for known in self where known.overlaps(span) {
            if start < known.lowerBound { parts.append(start...(known.lowerBound - .nanoseconds(1))) }
            start = known.upperBound + .nanoseconds(1)
        }
        if start <= span.upperBound { parts.append(start...span.upperBound) }
        if !parts.isEmpty { self = (self + parts).sorted { $0.lowerBound < $1.lowerBound } }
        return parts
    }
}

/// The trigger of one camera: which frames clients have asked to store, from when until when; any thread, never blocks.
final class Trigger: Occasion {
    private enum Stage {
        /// Before the first trigger, and once all frames of the last one are stored.
        case idle
        /// Begun or extended; remains so after its end until the publisher has seen it.
        case runs
        /// At its end: the frames that have come are being stored.
        case drains
    }

    private struct State {
        var stage = Stage.idle
        var start = MonotonicTime(nanoseconds: .min)
        /// At `start` before the first trigger.
        var end = MonotonicTime(nanoseconds: .min)
        var nth = 1
        var tags: [String] = []
        /// Requests that wait for a picture of the camera, and hold it.
        var requests = 0
    }

    private let clock: any MonotonicClock
    private let state = Mutex(State())
    /// For a single consumer.
    private let begun = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(clock: any MonotonicClock) { self.clock = clock }

    // MARK: - Requests

    /// Announces a request, which ends with ``add(_:from:)`` or ``withdraw()``.
    func announce() { state.withLock { $0.requests += 1 } }
    func withdraw() { state.withLock { $0.requests -= 1 } }

    /// Begins at `start`, or extends a trigger that is not stored completely: earlier, later, and with further tags.
    ///
    /// Throws `invalid-request` if a picture would get too many tags; the request remains then.
    func add(_ request: TriggerRequest, from start: MonotonicTime) throws(Problem) -> TriggerReport {
        let now = clock.now
        let report = try state.withLock { (state) throws(Problem) -> TriggerReport in
            if state.stage != .idle {
                let tags = state.tags + request.tags.filter { !state.tags.contains($0) }
                guard StillRequest.areValid(tags: tags) else {
                    throw .invalid(
                        field: "tags",
                        "has, with those of the trigger that has not ended, more than \(StillRequest.mostTags) tags.",
                        remedy: "Give fewer tags, or ask again once its pictures are stored, after "
                            + "\(clock.wall(at: state.end))."
                    )
                }
                (state.start, state.tags) = (min(state.start, start), tags)
            } else {
                (state.start, state.nth, state.tags) = (start, request.nth, request.tags)
            }
            state.end = max(state.end, now + request.afterMs.duration)
            (state.stage, state.requests) = (.runs, state.requests - 1)
            let (from, until) = (clock.wall(at: state.start), clock.wall(at: state.end))
            return TriggerReport(from: from, until: until, nth: state.nth, tags: state.tags)
        }
        begun.continuation.yield()
        return report
    }

    /// True while the camera must stay open, for the trigger or for a request of one.
    var isNeeded: Bool { state.withLock { $0.stage != .idle || $0.requests > 0 } }
    /// True after the first trigger.
    var wasUsed: Bool { state.withLock { $0.start < $0.end } }

    // MARK: - Frames

    var nth: Int { state.withLock(\.nth) }
    var isOpen: Bool { state.withLock { $0.stage == .runs } }

    var span: ClosedRange<MonotonicTime>? {
        state.withLock { $0.stage == .idle ? nil : $0.start...($0.end - .nanoseconds(1)) }
    }

    func covers(_ moment: MonotonicTime) -> Bool { span?.contains(moment) == true }

    /// Tags of a frame: those of the trigger, and `others` as far as there is room.
    func tags(and others: [String]?) -> [String]? {
        let own = state.withLock(\.tags)
        let all = own + (others ?? []).filter { !own.contains($0) }
        return all.isEmpty ? nil : Array(all.prefix(StillRequest.mostTags))
    }

    func begins(until moment: MonotonicTime) async { for await _ in begun.stream { return } }

    func ends() -> Bool {
        let now = clock.now
        return state.withLock { state in
            if state.stage == .runs, now >= state.end { state.stage = .drains }
            return state.stage != .runs
        }
    }

    func finish() { state.withLock { if $0.stage == .drains { $0.stage = .idle } } }
}
