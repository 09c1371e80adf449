// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel

/// Detects silence and runs of damaged frames that count as a device failure.
struct StallRule: Hashable {
    enum Finding: Hashable {
        /// No frame has come for longer than the limit.
        case silent
        /// No intact frame has come for several times the limit.
        case damaged
    }

    /// Silence for longer than this is a stall; also the maximum age of a `latest` frame.
    private(set) var limit: Duration
    /// Timeout of the first frame; nil once it has come.
    private var firstFrameLimit: Duration?
    /// Time of the last frame, good or not.
    private(set) var lastArrival: MonotonicTime
    /// Time of the last frame without faults reported by the driver.
    private(set) var lastGood: MonotonicTime

    /// Damaged frames are tolerated for longer than silence, since reopening a camera is slow.
    private static let damageFactor = 3

    init(interval: Duration?, exposure: Duration?, firstFrameLimit: Duration = .zero, now: MonotonicTime) {
        limit = Self.limit(interval, exposure: exposure)
        self.firstFrameLimit = firstFrameLimit
        (lastArrival, lastGood) = (now, now)
    }

    /// Ten frame intervals, or three exposures plus the 2 s that a driver may take to start, at least 2 s.
    static func limit(_ interval: Duration?, exposure: Duration?) -> Duration {
        max(.seconds(2), (interval ?? .zero) * 10, exposure.map { $0 * 3 + .seconds(2) } ?? .zero)
    }

    mutating func frameCame(now: MonotonicTime) {
        lastArrival = now
        // Start judging damage at the first frame, however late it was.
        if awaitsFirstFrame { lastGood = now }
        firstFrameLimit = nil
    }

    var awaitsFirstFrame: Bool { firstFrameLimit != nil }

    mutating func frameWasGood() { lastGood = lastArrival }

    /// Raises the limit if the exposure has become longer, as it may in low light; returns true if it has.
    mutating func allow(interval: Duration?, exposure: Duration?) -> Bool {
        let present = Self.limit(interval, exposure: exposure)
        guard present > limit else { return false }
        limit = present
        return true
    }

    /// True if a frame without a timestamp may predate a driver call that hung; the following frame cannot.
    func mayPredateHang(_ stamp: FrameStamp) -> Bool { stamp.source == .dequeue && stamp.uncertainty > limit }

    func finding(now: MonotonicTime) -> Finding? {
        if now >= end { return .silent }
        return !awaitsFirstFrame && now >= lastGood + limit * Self.damageFactor ? .damaged : nil
    }

    /// Time at which silence becomes a stall.
    var end: MonotonicTime { lastArrival + max(limit, firstFrameLimit ?? .zero) }
}
