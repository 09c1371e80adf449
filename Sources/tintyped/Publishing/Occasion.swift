// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeModel

/// Motion or a trigger, outside of which a ``StreamPublisher`` stores no frame; any thread, never blocks.
protocol Occasion: Sendable {
    /// True from the beginning until ``ends()``.
    var isOpen: Bool { get }
    /// Exposures of the frames to store, which may be in the ring; nil if there are none.
    var span: ClosedRange<MonotonicTime>? { get }
    /// True for a frame of the stream to store.
    func covers(_ moment: MonotonicTime) -> Bool
    /// Suspends while it is not open, until the task is cancelled; may return at `moment`.
    func begins(until moment: MonotonicTime) async
    /// Called by the publisher from time to time; true once the occasion is over, which may begin again any time.
    func ends() -> Bool
    /// Called once all frames are stored.
    func finish()
}

struct MotionOccasion: Occasion {
    let watch: MotionWatch
    /// Time before the motion from which frames of the ring are stored too.
    let before: Duration

    var isOpen: Bool { watch.isMoving }
    var span: ClosedRange<MonotonicTime>? { watch.began.map { ($0 - before)...MonotonicTime.distantFuture } }
    func covers(_ moment: MonotonicTime) -> Bool { watch.covers(moment) }
    func begins(until moment: MonotonicTime) async { await watch.wait(for: true, until: moment) }
    func ends() -> Bool { !watch.isMoving }
    func finish() {}
}

extension [ClosedRange<MonotonicTime>] {
    /// Adds `span`; returns the parts of it that were in none of these spans, which do not overlap, in order.
    mutating func take(_ span: ClosedRange<MonotonicTime>) -> Self {
        var (parts, start): (Self, MonotonicTime) = ([], span.lowerBound)
        for known in self where known.overlaps(span) {
            if start < known.lowerBound { parts.append(start...(known.lowerBound - .nanoseconds(1))) }
            start = known.upperBound + .nanoseconds(1)
        }
        if start <= span.upperBound { parts.append(start...span.upperBound) }
        if !parts.isEmpty { self = (self + parts).sorted { $0.lowerBound < $1.lowerBound } }
        return parts
    }
}
