// SPDX-License-Identifier: Apache-2.0

/// Several stills by one request: which frames it takes.
package enum Burst: Hashable, Sendable {
    /// A number of stills, the next one due a time after the one before: 0 for each frame that comes.
    case count(Int, every: Duration)
    /// Every `nth` frame of a span of time, in which the request itself is 0: a negative time is taken from the ring.
    case span(from: Duration, to: Duration, nth: Int)

    /// How many stills can be asked for.
    package static let countRange = 1...1000
    /// The times between two stills that can be asked for, in milliseconds.
    package static let everyMsRange: ClosedRange<Double> = 0...3_600_000
    /// The begins and ends of a span that can be asked for, in milliseconds.
    package static let spanMsRange: ClosedRange<Double> = -3_600_000...3_600_000
    /// The steps in a span that can be asked for.
    package static let nthRange = 1...1000
}

extension StillRequest {
    /// The longest that the whole of it can take: the ``deadline`` for one still; for a burst up to when its last still
    /// is due, and the deadline from then on.
    ///
    /// A still of a burst of consecutive frames is due when the one before it was taken.
    package var longestDuration: Duration {
        switch burst {
        case nil: deadline
        case .count(let count, .zero): deadline * count
        case .count(let count, let every): every * (count - 1) + deadline
        case .span(_, let end, _): max(.zero, end) + deadline
        }
    }
}
