// SPDX-License-Identifier: Apache-2.0

/// Meter for events per second, averaged over at least a second.
package struct RateMeter: Hashable, Sendable {
    private var began: MonotonicTime?
    private var count = 0
    private var rate: Double?

    package init() {}

    package mutating func count(_ number: Int = 1, at now: MonotonicTime) {
        guard let began else {
            self.began = now
            return
        }
        count += number
        guard now - began >= .seconds(1) else { return }
        rate = Double(count) / ((now - began) / .seconds(1))
        self.began = now
        count = 0
    }

    /// Nil before the first result; 0 if no event occurred for three times the usual interval, at least 3 s.
    package func rate(at now: MonotonicTime) -> Double? {
        guard let began, let rate, rate > 0 else { return rate }
        return now - began > .seconds(3 * max(1, 1 / rate)) ? 0 : rate
    }
}
