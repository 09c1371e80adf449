// SPDX-License-Identifier: Apache-2.0

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
