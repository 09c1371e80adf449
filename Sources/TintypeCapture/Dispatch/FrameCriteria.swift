// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
package import TintypeModel
internal import TintypeSystem

/// Criteria of a subscription for its frames, and what is to be made of them.
package struct FrameCriteria: Hashable, Sendable {
    /// Events that end a subscription before it has all its frames.
    enum Lifetime: Hashable, Sendable {
        /// A failure of the camera, a stop by command and the end of the session.
        case untilFailure
        /// A stop by command and the end of the session.
        case untilStop
        /// The end of the session.
        case untilEnd
    }

    var fresh: Freshness
    var options: EncodingOptions
    var settle: SettlePolicy = .never
    /// Latest time until which ``SettlePolicy/auto`` waits, early enough before the deadline to still take a frame.
    var settleBy = MonotonicTime(nanoseconds: .max)
    /// Accepts only frames after this one; nil for any.
    var after: FrameKey?
    var isLargest = false
    /// Opens the camera and keeps it open; false to use only frames taken for other clients.
    var opens = true
    package var requestedAt: MonotonicTime
    /// Number of frames; nil for all up to ``end``.
    var count: Int? = 1
    var nth = 1
    /// Latest exposure start; nil for no limit.
    var end: MonotonicTime?
    /// Permits an interruption of the stream for a full-size still; false if no frame may be missing.
    var allowsGaps = true
    var lifetime = Lifetime.untilFailure

    /// Reason why a frame does not match, nil if it does.
    ///
    /// `admission` is the newest buffer dequeued when the driver's queue was first seen empty after the request;
    /// `stallLimit` the maximum age of a `latest` frame.
    func objection(
        to stamp: FrameStamp,
        key: FrameKey,
        admission: FrameKey?,
        now: MonotonicTime,
        stallLimit: Duration
    ) -> SkipReason? {
        if stamp.mayPrecedeStream { return .undated }
        if let after, key <= after { return .stale }
        switch fresh {
        // A frame that waited in the queue during a hung driver call is not the next one.
        case .next:
            return stamp.dequeued >= requestedAt && stamp.dequeued - stamp.driverTime <= stallLimit ? nil : .stale
        // Past frames come only from the ring.
        case .at: return .stale
        case .latest: return now - stamp.exposureStart <= stallLimit ? nil : .stale
        case .maxAge(let age): return stamp.earliestExposure >= requestedAt - age ? nil : .stale
        case .request:
            guard stamp.source == .dequeue else { return stamp.earliestExposure >= requestedAt ? nil : .stale }
            // Exposure of the first buffer after the queue was seen empty may precede the request; that of the second
            // cannot.
            guard let admission else { return .undated }
            if key.stream == admission.stream { return key.ordinal >= admission.ordinal + 2 ? nil : .undated }
            return nil
        }
    }
}
