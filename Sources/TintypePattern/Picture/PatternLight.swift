// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// A lamp that the test pattern looks at: a file says when it was switched.
///
/// Each line is a moment of `CLOCK_MONOTONIC` in nanoseconds, in order. The lamp is dark before the first of them, and
/// changes at each.
struct PatternLight {
    private let switches: [MonotonicTime]

    /// A lamp that was switched as `text` says; other lines do not count.
    init(_ text: String) {
        switches = text.split(separator: "\n").compactMap { Int64($0).map(MonotonicTime.init(nanoseconds:)) }
    }

    /// The share of the time from `start` in which it was lit, 0 to 1; where `duration` is zero, whether it was.
    func share(from start: MonotonicTime, for duration: Duration) -> Double {
        let end = start + max(duration, .nanoseconds(1))
        var lit = Duration.zero
        for index in stride(from: 0, to: switches.count, by: 2) {
            let off = index + 1 < switches.count ? switches[index + 1] : end
            lit += max(.zero, min(end, off) - max(start, switches[index]))
        }
        return lit / (end - start)
    }
}
