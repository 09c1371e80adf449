// SPDX-License-Identifier: Apache-2.0
internal import TintypeFrames
internal import TintypeModel

/// How long settling alone has kept the first frame from a client.
struct SettleDelay {
    private var since: MonotonicTime?
    /// The newest frame that was counted as passed over for that alone.
    private var counted: FrameKey?
    private var duration: Duration?

    /// A frame is held back that would do otherwise.
    mutating func begin(with key: FrameKey, at moment: MonotonicTime, isCounted: Bool) {
        since = since ?? moment
        if isCounted { counted = key }
    }

    /// A frame is taken; returns whether it had been counted as passed over, as it was not known to be settled then.
    mutating func end(with key: FrameKey, now: MonotonicTime) -> Bool {
        if let since, duration == nil { duration = max(.zero, now - since) }
        return counted == key
    }

    /// The delay, for the first frame that is handed out; zero for those behind it.
    mutating func take() -> Duration { exchange(&duration, with: .zero) ?? .zero }
}
