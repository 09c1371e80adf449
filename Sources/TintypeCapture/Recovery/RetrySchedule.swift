// SPDX-License-Identifier: Apache-2.0

/// When a lost camera is tried again without any sign of it: soon at first, then ever later, at most every 10 s.
struct RetrySchedule {
    private var failures = 0
    private static let first = Duration.milliseconds(250)
    private static let longest = Duration.seconds(10)
    /// For a node that was just made and that udev has not been at yet.
    static let untilReady = Duration.milliseconds(100)

    /// The time to the next attempt, doubled with every failure.
    ///
    /// - Parameter jitter: 0 to 1: up to a fifth is taken off, so that many cameras on one hub do not come all at once.
    /// - Returns: 0.2 to 10 s.
    mutating func next(jitter: Double = .random(in: 0...1)) -> Duration {
        let doubled = Self.first * (1 << min(failures, 6))
        failures += 1
        return min(doubled, Self.longest) * (1 - 0.2 * jitter)
    }

    /// The next failure counts as the first.
    mutating func reset() { failures = 0 }
}
