// SPDX-License-Identifier: Apache-2.0
package import TintypeModel
internal import TintypeThreads

/// A time without a frame, since the stream was interrupted for stills of the largest size.
package struct StreamGap: Hashable, Sendable {
    /// When the last frame came before it.
    package let began: MonotonicTime
    /// How long it lasted, to the first frame after it.
    package let duration: Duration

    /// One from the begin of `first` to the end of `second`, or the one of the two that there is.
    static func joined(_ first: StreamGap?, _ second: StreamGap?) -> StreamGap? {
        guard let first, let second else { return first ?? second }
        return StreamGap(began: first.began, duration: second.began + second.duration - first.began)
    }
}

/// Clients that want to know how long an interruption takes.
struct GapWatch: Sendable {
    let began: MonotonicTime
    /// Nil as long as it goes on.
    var duration: Duration?
    var replies: [Reply<Duration>] = []
}
