// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Detects a stream that repeatedly breaks: the camera then stays `degraded` until the stream has lasted for a minute,
/// and single breaks are not reported.
struct Flapping {
    /// Number of breaks within ``window`` that count as flapping.
    private static let count = 3
    /// Time window for counting breaks, and time without one that ends flapping.
    private static let window = Duration.seconds(60)

    /// Times of recent recoveries, oldest first.
    private var returns: [MonotonicTime] = []
    /// Problem shown to clients; nil while the stream is stable.
    private(set) var reason: Problem?

    /// Records the recovery of a broken stream; returns the problem to report if flapping starts.
    mutating func cameBack(_ camera: String, now: MonotonicTime) -> Problem? {
        returns = returns.filter { now - $0 < Self.window } + [now]
        guard reason == nil, returns.count >= Self.count, let first = returns.first else { return nil }
        let problem = Problem(
            .cameraFault,
            "The stream of the camera \(camera) breaks off and comes back again and again: \(returns.count) times in "
                + "\(SpokenDuration.text(now - first)).",
            remedy: "Try another cable and another port, without a hub, then a lower rate or a smaller size; the "
                + "kernel's log may have the cause (sudo journalctl -k)."
        )
        reason = problem
        return problem
    }

    /// Time at which flapping ends without another break; nil if not flapping.
    var end: MonotonicTime? { reason == nil ? nil : returns.last.map { $0 + Self.window } }

    mutating func expire(now: MonotonicTime) -> Bool {
        guard let end, now >= end else { return false }
        self = Flapping()
        return true
    }
}
