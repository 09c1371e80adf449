// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

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
        let range: Range<Int>
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
    var last: Entry? { entries.last }
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

    /// The first entry of which `condition` is true, as of all behind it.
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
