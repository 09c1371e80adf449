// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Tells, from two clocks, which slot is due, which were missed, and how long to wait: without side effects.
///
/// The wall clock says when a slot is due, and may be set; the other clock goes on evenly, through a suspend too. A slot
/// that the wall clock is set beyond is none that was missed.
struct SlotTimer {
    struct Slots: Hashable {
        var first: Timestamp
        var last: Timestamp
        var count: Int
    }

    struct Step {
        /// The slot for which a frame is to be taken now.
        var due: Timestamp?
        /// Slots that cannot be made up for any more.
        var missed: Slots?
        /// By how much the wall clock was set since the last reading; nil for not at all.
        var clockSet: Duration?
        /// For how long to wait where nothing is due: the wall clock may be set meanwhile.
        var wait = Duration.seconds(5)
    }

    private let times: SlotTimes
    /// The times of both clocks at the last step.
    private var wall: Timestamp
    private var elapsed = Duration.zero
    /// The last slot that has come, due or missed; what is counted from it is moved as the clock is set.
    private var last: Timestamp?
    /// The next slot; nil for never.
    private(set) var upcoming: Timestamp?

    init(_ times: SlotTimes, start: Timestamp) {
        self.times = times
        wall = start
        upcoming = times.run(from: start)?.first
    }

    /// Goes on to `now`, so long after the start; `wasBusy` says that a frame was at work since the last step.
    mutating func step(at now: Timestamp, elapsed: Duration, wasBusy: Bool) -> Step {
        let unset = wall + (elapsed - self.elapsed)
        let set = now - unset
        // By less it is adjusted all the time (adjtimex(2)), and the two are not read at one moment.
        let wasSet = max(set, .zero - set) >= .seconds(1)
        (wall, self.elapsed) = (now, elapsed)
        // A slot that is late by more is missed.
        let grace = wasBusy ? min(times.every / 10, .milliseconds(500)) : min(times.every, .seconds(5))
        var step = Step(clockSet: wasSet ? set : nil)
        // First what the clock would have come to if it had not been set, then what setting it does.
        let moment = wasSet ? unset : now
        if let first = upcoming, let slots = times.slots(from: first, through: moment) {
            let isDue = moment - slots.last <= grace
            step.due = isDue ? slots.last : nil
            step.missed = isDue ? times.slots(from: first, through: slots.last - .microseconds(1)) : slots
            last = slots.last
            upcoming = times.next(after: slots.last)
        }
        if wasSet {
            // Counted slots keep their distance. Of the others the newest may come now, but not two at once.
            let isCounted = times.alignment == .start
            if isCounted { last = last.map { $0 + set } }
            var passed = now - (isCounted ? times.every : step.due == nil ? grace : .zero)
            // None comes again, unless the clock shows again all of the time between two.
            if let last, last - now < times.every { passed = max(passed, last) }
            upcoming = times.next(after: passed)
        }
        if let upcoming { step.wait = min(max(.zero, upcoming - now), step.wait) }
        return step
    }
}
