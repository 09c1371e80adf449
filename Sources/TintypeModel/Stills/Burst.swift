// SPDX-License-Identifier: Apache-2.0

/// Selection of frames for several stills in one request.
package enum Burst: Hashable, Sendable {
    /// A number of stills at intervals of `every`; 0 takes consecutive frames.
    case count(Int, every: Duration)
    /// Every `nth` frame of a time span relative to the request; negative times are taken from the ring.
    case span(from: Duration, to: Duration, nth: Int)

    package static let countRange = 1...1000
    /// Accepted intervals in milliseconds.
    package static let everyMsRange: ClosedRange<Double> = 0...3_600_000
    /// Accepted start and end times of a span, in milliseconds.
    package static let spanMsRange: ClosedRange<Double> = -3_600_000...3_600_000
    package static let nthRange = 1...1000
}

extension StillRequest {
    /// Maximum duration of the whole request.
    ///
    /// The ``deadline`` for a single still; for a burst, the time until the last still is due plus the deadline. A
    /// still of a burst of consecutive frames is due when the previous one has been taken.
    package var longestDuration: Duration {
        switch burst {
        case nil: deadline
        case .count(let count, .zero): deadline * count
        case .count(let count, let every): every * (count - 1) + deadline
        case .span(_, let end, _): max(.zero, end) + deadline
        }
    }
}
