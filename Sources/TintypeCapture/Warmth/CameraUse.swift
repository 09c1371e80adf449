// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel
internal import TintypeSystem

/// Reasons to keep a camera open without waiting clients: start and stop commands and holds, combined with its warmth.
struct CameraUse {
    /// Started by command: open until stopped.
    var isStarted = false
    /// Stopped by command: even a hot camera stays closed until a client asks.
    private(set) var isStopped = false
    var holds = HoldTable()

    /// True if the device must be open.
    func keepsOpen(_ warmth: Warmth) -> Bool { warmth == .hot && !isStopped || isStarted || !holds.isEmpty }

    /// Time that the device stays open after its last use; nil for ever.
    func lingering(_ warmth: Warmth) -> Duration? {
        guard !isStarted, holds.isEmpty else { return nil }
        return switch warmth {
        case .hot: nil
        case .linger(let time): time
        case .cold: .zero
        }
    }

    /// Records that the device is opened, which ends a stop by command.
    mutating func opens() { isStopped = false }

    /// Records a stop by command; ends all holds and returns them.
    mutating func stop() -> [HoldTable.Hold] {
        isStarted = false
        isStopped = true
        return holds.release(nil)
    }
}

/// Holds on one camera, by owner; isolated to the session.
struct HoldTable: Sendable {
    struct Hold: Hashable, Sendable {
        let owner: String
        /// Monotonic expiry time: a step of the wall clock neither ends nor prolongs the hold.
        var end: MonotonicTime
    }

    /// All holds, sorted by owner.
    private(set) var holds: [Hold] = [] { didSet { nextEnd = holds.map(\.end).min() } }

    var isEmpty: Bool { holds.isEmpty }

    /// The earliest expiry; nil without holds.
    private(set) var nextEnd: MonotonicTime?

    /// Adds or extends the owner's hold, never shortening it; nil if ``HoldRequest/mostOwners`` other owners have one.
    mutating func hold(_ owner: String, until end: MonotonicTime) -> Hold? {
        if let index = holds.firstIndex(where: { $0.owner == owner }) {
            holds[index].end = max(holds[index].end, end)
            return holds[index]
        }
        guard holds.count < HoldRequest.mostOwners else { return nil }
        let hold = Hold(owner: owner, end: end)
        holds.insert(hold, at: holds.firstIndex { $0.owner > owner } ?? holds.endIndex)
        return hold
    }

    /// Ends the hold of `owner`, or all holds if nil, and returns them.
    mutating func release(_ owner: String?) -> [Hold] {
        let ended = holds.filter { owner == nil || $0.owner == owner }
        holds.removeAll { owner == nil || $0.owner == owner }
        return ended
    }

    /// Ends expired holds and returns them; allocates nothing if none has expired.
    mutating func expire(at now: MonotonicTime) -> [Hold] {
        guard let nextEnd, nextEnd <= now else { return [] }
        let ended = holds.filter { $0.end <= now }
        holds.removeAll { $0.end <= now }
        return ended
    }
}

extension CameraHold {
    /// Hold in the API: its end, a time of `clock`, is converted to wall-clock time.
    init(_ hold: HoldTable.Hold, by clock: any MonotonicClock) {
        self.init(owner: hold.owner, until: clock.wall(at: hold.end))
    }
}

/// Reasons for keeping the camera open, and its latencies; not in the snapshot, so that one for each frame copies none.
struct WarmthReport: Sendable {
    var use = CameraUse()
    /// From the start of opening to the first good frame.
    var fromOff = LatencyHistory()
    /// From a request to its frame while the device is streaming.
    var fromRunning = LatencyHistory()
    /// From the first good frame to settled exposure and white balance.
    var settling = SettlingHistory()

    var latency: CameraLatency {
        CameraLatency(fromOff: fromOff.summary, fromRunning: fromRunning.summary, settling: settling.summary)
    }
}

/// The latest measurements of one kind of latency; memory is allocated once, at the first.
struct LatencyHistory: Sendable {
    static let length = 64

    private var newest: [Duration] = []

    mutating func add(_ latency: Duration) {
        if newest.isEmpty { newest.reserveCapacity(Self.length + 1) }
        newest.append(latency)
        if newest.count > Self.length { newest.removeFirst() }
    }

    /// Median and maximum; nil without measurements.
    var summary: CameraLatency.Summary? {
        let sorted = newest.sorted()
        guard let worst = sorted.last else { return nil }
        let middle = sorted.count / 2
        let median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        let (medianMs, worstMs) = (Milliseconds(median), Milliseconds(worst))
        return CameraLatency.Summary(count: sorted.count, medianMs: medianMs, worstMs: worstMs)
    }
}
