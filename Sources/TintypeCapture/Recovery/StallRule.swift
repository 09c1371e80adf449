// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// When silence, or a run of damaged frames, counts as a failure of the device.
struct StallRule: Hashable {
    /// What a stream is closed and opened again for.
    enum Finding: Hashable {
        /// No frame has come for longer than the limit.
        case silent
        /// Frames come, and none has been whole for several times the limit.
        case damaged
    }

    /// Silence for longer is a stall; the age at which a frame is not `latest` any more.
    private(set) var limit: Duration
    /// How long the first frame may take; nil once it has come.
    private var firstFrameLimit: Duration?
    /// When the last frame came, good or not.
    private(set) var lastArrival: MonotonicTime
    /// When the last frame came that was whole, as far as the driver tells.
    private(set) var lastGood: MonotonicTime

    /// Frames that are all damaged are borne longer than silence: opening a camera again is slow.
    private static let damageFactor = 3

    /// The rule for a stream that begins `now`, whose first frame may take up to `firstFrameLimit`.
    init(interval: Duration?, exposure: Duration?, firstFrameLimit: Duration = .zero, now: MonotonicTime) {
        limit = Self.limit(interval, exposure: exposure)
        self.firstFrameLimit = firstFrameLimit
        (lastArrival, lastGood) = (now, now)
    }

    /// Ten frames, three exposures and the 2 s that a driver may take to begin.
    static func limit(_ interval: Duration?, exposure: Duration?) -> Duration {
        max(.seconds(2), (interval ?? .zero) * 10, exposure.map { $0 * 3 + .seconds(2) } ?? .zero)
    }

    /// A frame has come.
    mutating func frameCame(now: MonotonicTime) {
        lastArrival = now
        // Whether frames are damaged is judged from the first one on, however late it was.
        if awaitsFirstFrame { lastGood = now }
        firstFrameLimit = nil
    }

    /// Whether none has come yet.
    var awaitsFirstFrame: Bool { firstFrameLimit != nil }

    /// The frame that came last is whole.
    mutating func frameWasGood() { lastGood = lastArrival }

    /// Makes the limit longer where the device exposes longer than it did: in low light that may be longer than the
    /// interval that was granted.
    ///
    /// Returns whether that has changed anything.
    mutating func allow(interval: Duration?, exposure: Duration?) -> Bool {
        let present = Self.limit(interval, exposure: exposure)
        guard present > limit else { return false }
        limit = present
        return true
    }

    /// What is wrong; nil while nothing is.
    func finding(now: MonotonicTime) -> Finding? {
        if now >= end { return .silent }
        return !awaitsFirstFrame && now >= lastGood + limit * Self.damageFactor ? .damaged : nil
    }

    /// When silence is a stall if no frame comes before.
    var end: MonotonicTime { lastArrival + max(limit, firstFrameLimit ?? .zero) }
}
