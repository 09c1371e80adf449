// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Tells, from two clocks, which slot is due, which were missed, and how long to wait: without side effects.
///
/// The wall clock says when a slot is due, and may be set; the other clock goes on evenly, through a suspend too. A slot
/// that the wall clock was set beyond is none that was missed. Where it is set back by less than the time between two
/// slots, no slot comes a second time. A slot counted from another keeps its distance to that; one that begins with a
/// part of the day, or stands on the clock, follows the clock.
struct SlotTimer {
    /// The times of both clocks at one moment.
    struct Reading {
        var wall: Timestamp
        /// Counted from any moment, the same for all readings.
        var elapsed: Duration
    }

    /// Slots one after the other.
    struct Slots: Hashable {
        var first: Timestamp
        var last: Timestamp
        var count: Int
    }

    /// The result of one look at the clocks.
    struct Step: Hashable {
        /// The slot for which a frame is to be taken now.
        var due: Timestamp?
        /// Slots that cannot be made up for any more.
        var missed: Slots?
        /// By how much the wall clock was set since the last reading; nil for not at all.
        var clockSet: Duration?
        /// How many slots it was set beyond.
        var passedOver = 0
        /// For how long to wait where nothing is due; nil where nothing ever will be.
        var wait: Duration?
    }

    /// The wall clock is looked at again after this time at the latest, since it may be set meanwhile.
    static let glance = Duration.seconds(5)
    /// A slot that is late by more is missed, or by more than the time to the next.
    static let grace = Duration.seconds(5)
    /// The same of a slot that came while the frame before was at work.
    private static let graceWhenBusy = Duration.milliseconds(500)
    /// A clock that differs by less was not set: it is adjusted all the time (adjtimex(2)).
    static let adjustment = Duration.milliseconds(100)

    private let times: SlotTimes
    private var previous: Reading
    /// The last slot that has really come, due or missed; what is counted from it is moved as the clock is set.
    private var last: Timestamp?
    /// The next slot; nil for never.
    private(set) var upcoming: Timestamp?

    /// A timer that begins at `start`.
    init(_ times: SlotTimes, start: Reading) {
        self.times = times
        previous = start
        upcoming = times.run(from: start.wall)?.first
    }

    /// Goes on to `now`; `wasBusy` says that a frame was at work since the last step.
    mutating func step(at now: Reading, wasBusy: Bool = false) -> Step {
        let unset = previous.wall + (now.elapsed - previous.elapsed)
        let set = now.wall - unset
        previous = now
        let wasSet = max(set, .zero - set) >= Self.adjustment
        var step = Step(clockSet: wasSet ? set : nil)
        // First what the clock would have come to if it had not been set, then what setting it does.
        pass(through: wasSet ? unset : now.wall, wasBusy: wasBusy, &step)
        if wasSet { take(set, at: now.wall, wasBusy: wasBusy, &step) }
        if step.due == nil, let upcoming { step.wait = min(max(.zero, upcoming - now.wall), Self.glance) }
        return step
    }

    private func grace(wasBusy: Bool) -> Duration {
        wasBusy ? min(times.every / 10, Self.graceWhenBusy) : min(times.every, Self.grace)
    }

    /// Time has passed: the newest slot that has come is due, unless it is too late for it, and all before are missed.
    private mutating func pass(through moment: Timestamp, wasBusy: Bool, _ step: inout Step) {
        guard let first = upcoming, first <= moment else { return }
        let (count, last) = times.count(from: first, through: moment)
        self.last = last
        upcoming = times.next(after: last)
        let isInTime = moment - last <= grace(wasBusy: wasBusy)
        if isInTime { step.due = last }
        if !isInTime {
            step.missed = Slots(first: first, last: last, count: count)
        } else if count > 1 {
            let (count, last) = times.count(from: first, through: last + .microseconds(-1))
            step.missed = Slots(first: first, last: last, count: count)
        }
    }

    /// The wall clock was set by `amount`.
    private mutating func take(_ amount: Duration, at now: Timestamp, wasBusy: Bool, _ step: inout Step) {
        guard let next = upcoming else { return }
        switch times.alignment {
        case .start:
            // The time between slots is what counts, not what the clock says.
            last = last.map { $0 + amount }
            step.due = step.due.map { $0 + amount }
            upcoming = firstCounted(at: now)
        case .clock where amount > .zero && next <= now:
            let (count, last) = times.count(from: next, through: now)
            upcoming = times.next(after: last)
            let isInTime = now - last <= grace(wasBusy: wasBusy)
            step.passedOver = isInTime ? count - 1 : count
            // Not two frames at once: that of the time before is due no more.
            if isInTime {
                if step.due != nil { step.passedOver += 1 }
                step.due = last
                self.last = last
            }
        case .clock where amount < .zero: upcoming = firstShown(at: now, setBackBy: .zero - amount)
        case .clock: break
        }
    }

    /// The next slot where they are counted: behind the last one in a part of the day, or with the begin of the next part.
    private func firstCounted(at now: Timestamp) -> Timestamp? {
        let first = times.run(from: now)?.first
        guard let last, first == now else { return first }
        return times.run(from: max(now, last + times.every))?.first
    }

    /// The next slot by a clock that was set back: one that has come does not come again, unless the clock shows again all
    /// of the time between two slots.
    private func firstShown(at now: Timestamp, setBackBy amount: Duration) -> Timestamp? {
        guard let last, last >= now, amount < times.every, last - now < times.every else {
            return times.run(from: now)?.first
        }
        return times.next(after: last)
    }
}
