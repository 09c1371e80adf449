// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// What a client wants of the frame that it waits for.
struct FrameWish: Hashable, Sendable {
    /// How fresh it has to be.
    var fresh: Freshness
    /// What is made of it, and how whole it has to be.
    var rendition: Rendition
    /// Whether it has to wait for exposure and white balance.
    var settle: SettlePolicy
    /// Until when ``SettlePolicy/auto`` waits for that: so long before the deadline that there is time for the frame.
    var settleBy: MonotonicTime
    /// Only a frame that came later than this one; nil for any.
    var after: FrameKey?
    /// Whether it has to be of the largest size that the camera has.
    var isLargest: Bool
    /// When the request arrived.
    var requestedAt: MonotonicTime

    init(
        _ fresh: Freshness,
        _ rendition: Rendition,
        settle: SettlePolicy = .never,
        settleBy: MonotonicTime = MonotonicTime(nanoseconds: .max),
        after: FrameKey? = nil,
        isLargest: Bool = false,
        requestedAt: MonotonicTime
    ) {
        self.fresh = fresh
        self.rendition = rendition
        self.settle = settle
        self.settleBy = settleBy
        self.after = after
        self.isLargest = isLargest
        self.requestedAt = requestedAt
    }
}
