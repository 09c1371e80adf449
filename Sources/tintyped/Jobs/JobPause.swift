// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Pause of a job after attempts without a success; not stored, so a restart of the daemon ends it.
struct JobPause: Hashable, Sendable {
    static let shortest = Duration.seconds(5)
    static let longest = Duration.seconds(3600)
    /// Attempts in a row from which failures are those of pictures, not of the target.
    static let patience = 3
    /// Upper limit of ``passed``.
    private static let mostPassed = 500

    /// Attempts in a row.
    private(set) var attempts = 0
    private(set) var end = MonotonicTime(nanoseconds: 0)
    private(set) var error: String?
    /// Pictures that have failed in these attempts, which the next one passes over if there are others.
    private(set) var passed: Set<FrameID> = []

    /// Charges a failed attempt to its pictures.
    mutating func pass(over pictures: [FrameID]) {
        passed = passed.count + pictures.count > Self.mostPassed ? Set(pictures) : passed.union(pictures)
    }

    /// Doubles the pause; `share` of it, at random so that jobs do not retry at once.
    mutating func add(_ error: String?, at now: MonotonicTime, share: Double = .random(in: 0.5...1)) {
        end = now + Self.shortest.backoff(after: attempts, upTo: Self.longest) * share
        attempts += 1
        self.error = error
    }
}
