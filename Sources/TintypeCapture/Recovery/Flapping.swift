// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Whether a camera's stream breaks off and comes back again and again.
///
/// Then each break is no news of its own: the camera is `degraded` until its stream has lasted for a minute.
struct Flapping {
    /// So many breaks within ``window`` are no accident.
    private static let count = 3
    /// And so long without one is the end of it.
    private static let window = Duration.seconds(60)

    /// The last times that the camera was back, oldest first.
    private var returns: [MonotonicTime] = []
    /// What clients are told; nil while the stream lasts.
    private(set) var reason: Problem?

    /// A stream that broke has come back.
    ///
    /// Returns what clients are told from now on, where that is news.
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

    /// When it is over if the stream does not break before; nil while there is none.
    var end: MonotonicTime? { reason == nil ? nil : returns.last.map { $0 + Self.window } }

    /// Ends it if its time has come; returns whether it did.
    mutating func expire(now: MonotonicTime) -> Bool {
        guard let end, now >= end else { return false }
        self = Flapping()
        return true
    }
}
