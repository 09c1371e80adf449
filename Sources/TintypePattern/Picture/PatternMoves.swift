// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// When the block of the test pattern is there: a file says when it comes and goes.
///
/// Each line is a moment of `CLOCK_MONOTONIC` in nanoseconds, in order. The block is not there before the first of them, and
/// comes or goes at each.
struct PatternMoves {
    private let changes: [MonotonicTime]

    /// A block that comes and goes as `text` says; other lines do not count.
    init(_ text: String) {
        changes = text.split(separator: "\n").compactMap { Int64($0).map(MonotonicTime.init(nanoseconds:)) }
    }

    /// Whether it is there at `moment`.
    func isThere(at moment: MonotonicTime) -> Bool { changes.count { $0 <= moment } % 2 == 1 }
}
