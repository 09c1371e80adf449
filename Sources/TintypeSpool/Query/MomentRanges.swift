// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// A set of milliseconds since 1970 as ids of frames have them (RFC 9562, section 5.7): ranges in order, not touching.
struct MomentRanges: Hashable {
    let ranges: [Range<Int64>]

    /// An id has 48 bits for its time.
    static let end: Int64 = 1 << 48

    static let always = MomentRanges(ranges: [0..<end])
    static let never = MomentRanges(ranges: [])

    private init(ranges: [Range<Int64>]) { self.ranges = ranges }

    /// From `begin`, and up to `end` itself excluded; both cut to what ids can have.
    init(from begin: Int64 = 0, to end: Int64 = Self.end) {
        let (begin, end) = (max(0, begin), min(Self.end, end))
        ranges = begin < end ? [begin..<end] : []
    }

    var complement: MomentRanges {
        var rest: [Range<Int64>] = []
        var begin: Int64 = 0
        for range in ranges {
            if begin < range.lowerBound { rest.append(begin..<range.lowerBound) }
            begin = range.upperBound
        }
        if begin < Self.end { rest.append(begin..<Self.end) }
        return MomentRanges(ranges: rest)
    }

    func union(_ other: MomentRanges) -> MomentRanges {
        var merged: [Range<Int64>] = []
        for range in (ranges + other.ranges).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return MomentRanges(ranges: merged)
    }

    func intersection(_ other: MomentRanges) -> MomentRanges {
        complement.union(other.complement).complement
    }
}

extension FrameFilter {
    /// When frames that fit can have been captured: no other frame fits.
    var possibleMoments: MomentRanges {
        switch self {
        case .all(let filters): filters.reduce(.always) { $0.intersection($1.possibleMoments) }
        case .any(let filters): filters.reduce(.never) { $0.union($1.possibleMoments) }
        case .not(let filter): filter.certainMoments.complement
        case .is(.from(let time)): MomentRanges(from: time.milliseconds(roundingUp: false))
        // Frames of before 1970 are in the first millisecond.
        case .is(.to(let time)): MomentRanges(to: max(1, time.milliseconds(roundingUp: true)))
        case .is(.id(let id)): MomentRanges(from: id.millisecond, to: id.millisecond + 1)
        case .is: .always
        }
    }

    /// When frames were captured of which every one fits.
    private var certainMoments: MomentRanges {
        switch self {
        case .all(let filters): filters.reduce(.always) { $0.intersection($1.certainMoments) }
        case .any(let filters): filters.reduce(.never) { $0.union($1.certainMoments) }
        case .not(let filter): filter.possibleMoments.complement
        // The first millisecond also has frames of before 1970.
        case .is(.from(let time)): MomentRanges(from: max(1, time.milliseconds(roundingUp: true)))
        case .is(.to(let time)): MomentRanges(to: time.milliseconds(roundingUp: false))
        case .is: .never
        }
    }
}

extension Timestamp {
    fileprivate func milliseconds(roundingUp: Bool) -> Int64 {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1000)
        if remainder == 0 { return quotient }
        return quotient + (roundingUp ? (remainder > 0 ? 1 : 0) : (remainder < 0 ? -1 : 0))
    }
}
