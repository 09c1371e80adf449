// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
package import TintypeModel
package import TintypeSystem

extension FrameRing {
    package enum Reading: Sendable {
        /// A picture, and the number of missing frames since the previous one.
        case picture(RingPicture, lost: Int)
        /// Nothing yet; the reply is resolved when the ring changes, with true if a frame was added.
        case wait(Reply<Bool>)
        /// No more frames, and the number of missing ones at the end.
        case end(lost: Int)
        /// The ring does not reach back far enough; its reach, or nil if it is empty.
        case short(Duration?)
    }

    package struct Reader: Sendable {
        fileprivate let id: UInt64
        fileprivate let generation: UInt64
        fileprivate var next: UInt64
        let nth: Int
        fileprivate let start: MonotonicTime
        let end: MonotonicTime?

        fileprivate func covers(_ stamp: FrameStamp) -> Bool {
            stamp.exposureStart >= start && end.map { stamp.exposureStart <= $0 } ?? true
        }
    }

    /// Reads the frame exposed last before `moment`, which is not in the future, or the one after `after` if that was
    /// read; `waits` for a frame that may still arrive.
    func read(before moment: MonotonicTime, after: FrameKey?, waits: Bool) -> Reading {
        readingState { state in
            guard let last = state.table.last else { return waits ? state.wait(by: clock) : .short(nil) }
            if let after, let entry = state.table.entry(after: after), entry.stamp.exposureStart > moment {
                return state.picture(entry)
            }
            // Only a later frame proves that none is missing in between.
            guard last.stamp.isPast(moment) || !waits else { return state.wait(by: clock) }
            guard let entry = state.table.entry(before: moment) else {
                return .short(state.table.first.map { clock.now - $0.stamp.exposureStart })
            }
            if let after, entry.stamp.key <= after { return state.wait(by: clock) }
            return state.picture(entry)
        }
    }

    /// Starts at `start`, or `includesBefore` it; nil if the ring does not reach back, unless the reader
    /// `mayStartLater`.
    package func reader(
        from start: MonotonicTime,
        includesBefore: Bool = false,
        mayStartLater: Bool = false,
        to end: MonotonicTime? = nil,
        nth: Int = 1
    ) -> Reader? {
        readingState { state in
            guard mayStartLater || state.reach.map({ $0 < start }) ?? false else { return nil }
            let before = includesBefore ? state.table.entry(before: start) : nil
            guard !includesBefore || before != nil else { return nil }
            // Frames being encoded follow those in the ring.
            let first =
                before?.index ?? state.table.entry(exposedFrom: start)?.index
                ?? state.pending.first { $0.stamp.exposureStart >= start }?.index ?? state.next
            return state.reader(from: first, before?.stamp.exposureStart ?? start, to: end, nth: nth)
        }
    }

    package func next(_ reader: inout Reader) -> Reading {
        let (reading, next) = state.withLock { state -> (Reading, UInt64) in
            guard reader.generation == state.generation else { return (.short(nil), reader.next) }
            let step = UInt64(reader.nth)
            var wanted = reader.next
            var lost = 0
            while let entry = state.table.entry(from: wanted) {
                let skips = (entry.index - wanted + step - 1) / step
                if let end = reader.end, entry.stamp.isPast(end) { return (.end(lost: lost), wanted) }
                wanted += skips * step
                lost += Int(skips)
                guard entry.index == wanted else { continue }
                wanted += step
                guard reader.covers(entry.stamp) else { continue }
                state.readers[reader.id] = wanted
                return (state.picture(entry, lost: lost), wanted)
            }
            if let end = reader.end, let last = state.table.last, last.stamp.isPast(end) {
                return (.end(lost: lost), wanted)
            }
            return (state.wait(by: clock), reader.next)
        }
        reader.next = next
        return reading
    }

    /// Time back to which the ring is complete; nil if it is empty.
    package var reach: Duration? { readingState { state in state.reach.map { clock.now - $0 } } }

    /// Reads the ring without frames that are too old, or from before a suspend, so that their age is unknown.
    private func readingState<R: Sendable>(_ body: (inout State) -> R) -> R {
        let slept = clock.suspended()
        return state.withLock { state in
            if slept - state.slept > FrameDispatcher.nap { state.reset() }
            state.expire(configuration.reach, at: clock.now)
            return body(&state)
        }
    }

    /// True if the ring has removed a frame, by age or for space, since the camera was opened.
    package var isFull: Bool { state.withLock(\.isFull) }
    package func close(_ reader: Reader) { state.withLock { $0.readers[reader.id] = nil } }
}

extension FrameRing.State {
    fileprivate mutating func reader(
        from first: UInt64,
        _ start: MonotonicTime,
        to end: MonotonicTime?,
        nth: Int
    ) -> FrameRing.Reader {
        let id = nextReader
        nextReader += 1
        readers[id] = first
        return FrameRing.Reader(id: id, generation: generation, next: first, nth: nth, start: start, end: end)
    }

    fileprivate func picture(_ entry: RingTable.Entry, lost: Int = 0) -> FrameRing.Reading {
        let bytes = memory?.read(entry.range) ?? []
        let picture = RingPicture(stamp: entry.stamp, layout: entry.layout, bytes: bytes)
        return .picture(picture, lost: lost)
    }

    fileprivate mutating func wait(by clock: any MonotonicClock) -> FrameRing.Reading {
        let reply = Reply<Bool>(clock: clock)
        waiters.removeAll { !$0.isAwaited }
        waiters.append(reply)
        return .wait(reply)
    }
}

/// Index of the frames in the ring's memory: oldest first, stored contiguously, wrapping around at the end.
struct RingTable {
    struct Entry {
        /// Sequence number among all frames, including those left out.
        let index: UInt64
        let stamp: FrameStamp
        let layout: PictureLayout
        let count: Int
        var place = 0

        var range: Range<Int> { place..<(place + count) }
    }

    /// Overhead of an entry in bytes, counted against the limit.
    static let overhead = 256

    private var entries: ArraySlice<Entry> = []
    private var pictureBytes = 0
    let limit: Int

    init(limit: Int) { self.limit = limit }

    var count: Int { entries.count }
    var first: Entry? { entries.first }
    var last: Entry? { entries.last }
    var bytes: Int { pictureBytes + count * Self.overhead }

    /// Offset for a frame of `count` bytes; nil if the oldest frame must be removed first.
    func place(for count: Int) -> Int? {
        guard bytes + count + Self.overhead <= limit else { return nil }
        guard let first, let last else { return 0 }
        let (tail, end) = (first.range.lowerBound, last.range.upperBound)
        guard end > tail else { return tail - end >= count ? end : nil }
        if limit - end >= count { return end }
        return tail >= count ? 0 : nil
    }

    func canHold(_ count: Int) -> Bool { count > 0 && count + Self.overhead <= limit }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        pictureBytes += entry.count
    }

    mutating func removeFirst() { pictureBytes -= entries.removeFirst().count }
    func entry(from index: UInt64) -> Entry? { search { $0.index >= index } }
    func entry(after key: FrameKey) -> Entry? { search { $0.stamp.key > key } }

    // Exposure starts are not in order: an earlier stamp may not have been trusted, or the lead may have changed.

    func entry(before moment: MonotonicTime) -> Entry? { entries.last { $0.stamp.exposureStart <= moment } }
    func entry(exposedFrom moment: MonotonicTime) -> Entry? { entries.first { $0.stamp.exposureStart >= moment } }

    /// The first entry that meets `condition`, which must hold for all later entries too (binary search).
    private func search(_ condition: (Entry) -> Bool) -> Entry? {
        var (low, high) = (entries.startIndex, entries.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if condition(entries[middle]) { high = middle } else { low = middle + 1 }
        }
        return low < entries.endIndex ? entries[low] : nil
    }
}
