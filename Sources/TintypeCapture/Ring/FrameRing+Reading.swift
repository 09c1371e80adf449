// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
package import TintypeModel
package import TintypeSystem

/// The side of clients that want pictures of the past.
extension FrameRing {
    /// What reading the ring gives.
    package enum Reading: Sendable {
        /// A picture, and how many that were wanted between the one before and this one are not there.
        case picture(RingPicture, lost: Int)
        /// What is wanted may still come: the reply is given when there is news, and says whether a frame has come.
        case wait(Reply<Bool>)
        /// There will be no more, and so many that were wanted are not there.
        case end(lost: Int)
        /// It does not reach so far: it begins a time before now; nil if it is empty.
        case short(Duration?)
    }

    /// Reads one frame after the other.
    package struct Reader: Sendable {
        fileprivate let id: UInt64
        fileprivate let generation: UInt64
        /// The index of the frame that is wanted next.
        fileprivate var next: UInt64
        let nth: Int
        /// The last frame whose exposure began at this moment or before; nil for no end.
        let end: MonotonicTime?
    }

    /// The frame whose exposure began last before `moment`, or the next one behind `after` if it has been had already.
    ///
    /// `moment` is not in the future. `slept` is how long the machine has been suspended since it booted. Where it `waits`,
    /// a frame that may not be there yet is waited for.
    package func read(before moment: MonotonicTime, after: FrameKey?, slept: Duration, waits: Bool) -> Reading {
        state.withLock { state in
            state.expire(slept, configuration.reach, at: clock.now)
            guard let last = state.table.last else { return waits ? state.wait(by: clock) : .short(nil) }
            if let after, let entry = state.table.first(where: { $0.key > after }), entry.stamp.exposureStart > moment {
                return state.picture(entry)
            }
            // Only a later frame tells that none is missing in between.
            guard last.stamp.exposureStart > moment || !waits else { return state.wait(by: clock) }
            guard let entry = state.table.entry(before: moment) else {
                return .short(state.table.first.map { clock.now - $0.stamp.exposureStart })
            }
            if let after, entry.key <= after { return state.wait(by: clock) }
            return state.picture(entry)
        }
    }

    /// Begins to read what was exposed from `start` on, with the frame that was being exposed then if `includesBefore`;
    /// nil if it does not reach so far.
    package func reader(
        from start: MonotonicTime,
        includesBefore: Bool,
        to end: MonotonicTime?,
        nth: Int,
        slept: Duration
    ) -> Reader? {
        state.withLock { state in
            state.expire(slept, configuration.reach, at: clock.now)
            guard let reach = state.reach, reach < start else { return nil }
            let before = includesBefore ? state.table.entry(before: start) : nil
            guard !includesBefore || before != nil else { return nil }
            // What is being encoded comes behind what is there.
            let first =
                before?.index ?? state.table.first { $0.stamp.exposureStart >= start }?.index
                ?? state.pending.first { $0.stamp.exposureStart >= start }?.index ?? state.next
            return state.reader(from: first, to: end, nth: nth)
        }
    }

    /// Begins to read what was exposed from `start` on, or from the oldest frame on where it does not reach so far; nil if
    /// it is empty.
    package func reader(
        fromFirstAfter start: MonotonicTime,
        to end: MonotonicTime,
        nth: Int,
        slept: Duration
    ) -> Reader? {
        state.withLock { state in
            state.expire(slept, configuration.reach, at: clock.now)
            guard let entry = state.table.first(where: { $0.stamp.exposureStart >= start }) else { return nil }
            return state.reader(from: entry.index, to: end, nth: nth)
        }
    }

    /// The next frame of a reader.
    package func next(_ reader: inout Reader) -> Reading {
        let (reading, next) = state.withLock { state -> (Reading, UInt64) in
            guard reader.generation == state.generation else { return (.short(nil), reader.next) }
            let step = UInt64(reader.nth)
            var wanted = reader.next
            var lost = 0
            while let entry = state.table.entry(from: wanted) {
                let skips = (entry.index - wanted + step - 1) / step
                if let end = reader.end, entry.stamp.exposureStart > end { return (.end(lost: lost), wanted) }
                wanted += skips * step
                lost += Int(skips)
                guard entry.index == wanted else { continue }
                state.readers[reader.id] = wanted + step
                return (state.picture(entry, lost: lost), wanted + step)
            }
            // All further frames are behind the end.
            if let end = reader.end, let last = state.table.last, last.stamp.exposureStart > end {
                return (.end(lost: lost), wanted)
            }
            return (state.wait(by: clock), reader.next)
        }
        reader.next = next
        return reading
    }

    /// How far back no frame is missing now; nil if it is empty.
    package func reach(slept: Duration) -> Duration? {
        state.withLock { state in
            state.expire(slept, configuration.reach, at: clock.now)
            return state.reach.map { clock.now - $0 }
        }
    }

    /// Whether it has held as much as it may since the camera was opened.
    package var isFull: Bool { state.withLock(\.isFull) }

    /// Ends what ``reader(from:includesBefore:to:nth:slept:)`` began.
    package func close(_ reader: Reader) { state.withLock { $0.readers[reader.id] = nil } }
}

extension FrameRing.State {
    fileprivate mutating func reader(from first: UInt64, to end: MonotonicTime?, nth: Int) -> FrameRing.Reader {
        let reader = FrameRing.Reader(id: nextReader, generation: generation, next: first, nth: nth, end: end)
        nextReader += 1
        readers[reader.id] = first
        return reader
    }

    fileprivate func picture(_ entry: RingTable.Entry, lost: Int = 0) -> FrameRing.Reading {
        let bytes = memory?.read(entry.range) ?? []
        let picture = RingPicture(stamp: entry.stamp, key: entry.key, layout: entry.layout, bytes: bytes)
        return .picture(picture, lost: lost)
    }

    fileprivate mutating func wait(by clock: any MonotonicClock) -> FrameRing.Reading {
        let reply = Reply<Bool>(clock: clock)
        // Clients that have gone away in the meantime wait no more.
        waiters.removeAll { !$0.isAwaited }
        waiters.append(reply)
        return .wait(reply)
    }

    /// Removes what is too old, all of it if the machine was suspended since: how old it is cannot be told then.
    fileprivate mutating func expire(_ slept: Duration, _ limit: Duration, at moment: MonotonicTime) {
        if slept - self.slept > FrameHub.nap {
            table = RingTable(limit: table.limit)
            pending = []
            reach = nil
            generation += 1
        }
        expire(limit, at: moment)
    }
}

/// Which frames a ring holds and where in its memory they are: the oldest first, one behind the other, from the end of
/// the memory on to its begin.
struct RingTable {
    /// A frame in the ring.
    struct Entry {
        /// Its place among all frames that came, those counted that did not get in.
        let index: UInt64
        let stamp: FrameStamp
        let key: FrameKey
        let layout: PictureLayout
        /// Where its bytes are.
        var range: Range<Int>
    }

    /// What an entry costs besides its bytes, counted against the limit.
    static let overhead = 256

    private var entries: [Entry] = []
    /// Entries before this one are gone.
    private var head = 0
    private var pictureBytes = 0
    /// The most bytes that its frames take.
    let limit: Int

    /// A table for memory of `limit` bytes.
    init(limit: Int) { self.limit = limit }

    var count: Int { entries.count - head }
    var first: Entry? { count > 0 ? entries[head] : nil }
    var last: Entry? { count > 0 ? entries.last : nil }
    /// The bytes that its frames take.
    var bytes: Int { pictureBytes + count * Self.overhead }

    /// Where the next frame goes if it has `count` bytes; nil if there is no room before the oldest is removed.
    func place(for count: Int) -> Int? {
        guard bytes + count + Self.overhead <= limit else { return nil }
        guard let first, let last else { return 0 }
        let (tail, end) = (first.range.lowerBound, last.range.upperBound)
        guard end > tail else { return tail - end >= count ? end : nil }
        if limit - end >= count { return end }
        return tail >= count ? 0 : nil
    }

    /// Whether a frame of `count` bytes could be in it at all.
    func canHold(_ count: Int) -> Bool { count > 0 && count + Self.overhead <= limit }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        pictureBytes += entry.range.count
    }

    mutating func removeLast() { pictureBytes -= entries.removeLast().range.count }

    mutating func removeFirst() {
        pictureBytes -= entries[head].range.count
        head += 1
        // Moved to the front now and then, so that the table does not grow with what has gone.
        guard head >= 64, head * 2 >= entries.count else { return }
        entries.removeSubrange(0..<head)
        head = 0
    }

    /// The first entry at `index` or behind it; nil if there is none.
    func entry(from index: UInt64) -> Entry? { first { $0.index >= index } }

    /// The last entry whose exposure began at `moment` or before; nil if there is none.
    func entry(before moment: MonotonicTime) -> Entry? {
        let next = position { $0.stamp.exposureStart > moment }
        return next > head ? entries[next - 1] : nil
    }

    /// The first entry that meets `condition`, as all behind it do.
    func first(where condition: (Entry) -> Bool) -> Entry? {
        let position = position(where: condition)
        return position < entries.count ? entries[position] : nil
    }

    private func position(where condition: (Entry) -> Bool) -> Int {
        var (low, high) = (head, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if condition(entries[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
