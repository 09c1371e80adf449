// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import TintypeModel

/// Reads the ids of a stream in order, a few at a time, each range of moments after the one before.
struct FrameReader {
    private let stream: FrameStream
    private let order: FrameOrder
    private let filter: SQLText?
    private let statement: Statement
    /// The parts that remain to be read; the last is the next.
    private var bounds: [FrameBounds]
    private var buffer: ArraySlice<String> = []
    private var chunk: Int
    private let largestChunk: Int

    /// Reads `first` ids at first, then up to `most` at a time.
    init(
        _ part: FramePlan.Part,
        _ order: FrameOrder,
        filter: SQLText?,
        statement: Statement,
        bounds: [FrameBounds],
        first: Int,
        most: Int
    ) {
        stream = part.stream
        self.order = order
        self.filter = filter
        self.statement = statement
        self.bounds = order == .newest ? bounds : bounds.reversed()
        chunk = first
        largestChunk = most
    }

    /// The next id; nil at the end.
    mutating func next() throws -> String? {
        while buffer.isEmpty, let range = bounds.last {
            let ids = try String.fetchAll(
                statement,
                arguments: stream.arguments(from: range.low, to: range.high, filter: filter, limit: chunk)
            )
            // A damaged index can lead in circles.
            guard ids.allSatisfy({ range.low < $0 && $0 < range.high }) else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an index of frames is not in order")
            }
            if ids.count == chunk, let last = ids.last {
                switch order {
                case .newest: bounds[bounds.count - 1].high = last
                case .oldest: bounds[bounds.count - 1].low = last
                }
            } else {
                bounds.removeLast()
            }
            buffer = ids[...]
            chunk = min(2 * chunk, largestChunk)
        }
        return buffer.popFirst()
    }
}

/// Ids between two texts, neither included.
struct FrameBounds: Hashable {
    var low: String
    var high: String

    /// The bounds of what is in `moments` and behind `last` in `order`, the oldest first.
    static func of(_ moments: MomentRanges, behind last: FrameID?, _ order: FrameOrder) -> [FrameBounds] {
        let last = last?.description
        return moments.ranges.compactMap { range in
            // No id is as short as these, and every id of the first millisecond is greater.
            var bounds = FrameBounds(
                low: FrameID.bound(at: range.lowerBound),
                high: FrameID.bound(at: range.upperBound)
            )
            switch order {
            case .newest: bounds.high = min(bounds.high, last ?? bounds.high)
            case .oldest: bounds.low = max(bounds.low, last ?? bounds.low)
            }
            return bounds.low < bounds.high ? bounds : nil
        }
    }
}
