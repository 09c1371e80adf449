// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Computes due slots, missed slots and waiting time from two clocks, without side effects.
///
/// The wall clock decides when a slot is due, and may be set. The other clock is steady and includes suspend. A slot
/// skipped by setting the wall clock is not missed.
struct SlotTimer {
    struct Slots: Hashable {
        var first: Timestamp
        var last: Timestamp
        var count: Int
    }

    struct Step {
        var due: Timestamp?
        var missed: Slots?
        var clockSet: Duration?
        /// Time to wait if nothing is due; limited, since the wall clock may be set meanwhile.
        var wait = Duration.seconds(5)
    }

    private let times: SlotTimes
    private var wall: Timestamp
    private var elapsed = Duration.zero
    /// The last slot, due or missed; moved along with the clock for slots counted from it.
    private var last: Timestamp?
    /// The next slot; nil for never.
    private(set) var upcoming: Timestamp?

    init(_ times: SlotTimes, start: Timestamp) {
        self.times = times
        wall = start
        upcoming = times.run(from: start)?.first
    }

    /// Advances to `now`, `elapsed` after the start; `wasBusy` if a frame was in progress since the last step.
    mutating func step(at now: Timestamp, elapsed: Duration, wasBusy: Bool) -> Step {
        let unset = wall + (elapsed - self.elapsed)
        let set = now - unset
        // Smaller differences come from clock adjustment (adjtimex(2)) and from reading the two clocks in sequence.
        let wasSet = max(set, .zero - set) >= .seconds(1)
        (wall, self.elapsed) = (now, elapsed)
        // A slot that is later than this is missed.
        let grace = wasBusy ? min(times.every / 10, .milliseconds(500)) : min(times.every, .seconds(5))
        var step = Step(clockSet: wasSet ? set : nil)
        // First the slots up to the time the clock would show if not set, then the effect of setting it.
        let moment = wasSet ? unset : now
        if let first = upcoming, let slots = times.slots(from: first, through: moment) {
            let isDue = moment - slots.last <= grace
            step.due = isDue ? slots.last : nil
            step.missed = isDue ? times.slots(from: first, through: slots.last - .microseconds(1)) : slots
            last = slots.last
            upcoming = times.next(after: slots.last)
        }
        if wasSet {
            // Counted slots keep their distance. Of the others, the newest may be due now, but not two at once.
            let isCounted = times.alignment == .start
            if isCounted { last = last.map { $0 + set } }
            var passed = now - (isCounted ? times.every : step.due == nil ? grace : .zero)
            // No slot repeats, unless the last one is now at least one interval ahead.
            if let last, last - now < times.every { passed = max(passed, last) }
            upcoming = times.next(after: passed)
        }
        if let upcoming { step.wait = min(max(.zero, upcoming - now), step.wait) }
        return step
    }
}
