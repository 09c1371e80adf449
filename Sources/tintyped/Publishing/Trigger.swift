// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// The trigger of one camera: which frames clients have asked to store, from when until when; any thread, never blocks.
final class Trigger: Sendable {
    private struct State {
        var start = MonotonicTime(nanoseconds: .min)
        /// At `start` before the first trigger.
        var end = MonotonicTime(nanoseconds: .min)
        var nth = 1
        var tags: [String] = []
    }

    private let clock: any MonotonicClock
    private let state = Mutex(State())
    /// For a single consumer.
    private let begun = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(clock: any MonotonicClock) { self.clock = clock }

    /// Begins at `start`, or extends a trigger that has not ended: earlier, later, and with further tags.
    ///
    /// Throws `invalid-request` if a picture would get too many tags.
    func add(_ request: TriggerRequest, from start: MonotonicTime) throws(Problem) -> TriggerReport {
        let now = clock.now
        let report = try state.withLock { (state) throws(Problem) -> TriggerReport in
            if now < state.end {
                let tags = state.tags + request.tags.filter { !state.tags.contains($0) }
                guard StillRequest.areValid(tags: tags) else {
                    throw .invalid(
                        field: "tags",
                        "has, with those of the trigger that has not ended, more than \(StillRequest.mostTags) tags.",
                        remedy: "Give fewer tags, or ask again after \(clock.wall(at: state.end))."
                    )
                }
                (state.start, state.tags) = (min(state.start, start), tags)
            } else {
                (state.start, state.nth, state.tags) = (start, request.nth, request.tags)
            }
            state.end = max(state.end, now + request.afterMs.duration)
            let (from, until) = (clock.wall(at: state.start), clock.wall(at: state.end))
            return TriggerReport(from: from, until: until, nth: state.nth, tags: state.tags)
        }
        begun.continuation.yield()
        return report
    }

    /// Start of the trigger; nil once it has ended.
    var start: MonotonicTime? {
        let now = clock.now
        return state.withLock { now < $0.end ? $0.start : nil }
    }

    var nth: Int { state.withLock(\.nth) }
    /// True after the first trigger.
    var wasUsed: Bool { state.withLock { $0.start < $0.end } }

    func covers(_ moment: MonotonicTime) -> Bool { state.withLock { $0.start <= moment && moment < $0.end } }

    /// Tags of a frame: those of the trigger, and `others` as far as there is room.
    func tags(and others: [String]?) -> [String]? {
        let own = state.withLock(\.tags)
        let all = own + (others ?? []).filter { !own.contains($0) }
        return all.isEmpty ? nil : Array(all.prefix(StillRequest.mostTags))
    }

    /// Suspends until a trigger begins or is extended, also before the call, or until the task is cancelled.
    func begins() async { for await _ in begun.stream { return } }
}
