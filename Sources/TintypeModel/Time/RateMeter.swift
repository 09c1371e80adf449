// SPDX-License-Identifier: Apache-2.0

/// Measures how many things happen a second, over a second or, where fewer happen, from one to the next.
package struct RateMeter: Hashable, Sendable {
    private var began: MonotonicTime?
    private var count = 0
    private var rate: Double?

    /// A meter that has counted nothing.
    package init() {}

    /// Counts things that have happened by `now`.
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

    /// How many happen a second; nil where that is not known yet, 0 where none has for three times the usual time.
    package func rate(at now: MonotonicTime) -> Double? {
        guard let began, let rate, rate > 0 else { return rate }
        return now - began > .seconds(3 * max(1, 1 / rate)) ? 0 : rate
    }
}
