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

    private(set) var holds: [Hold] = []
    var isEmpty: Bool { holds.isEmpty }
    var nextEnd: MonotonicTime? { holds.map(\.end).min() }

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
    mutating func release(_ owner: String?) -> [Hold] { end { owner == nil || $0.owner == owner } }
    mutating func expire(at now: MonotonicTime) -> [Hold] { end { $0.end <= now } }

    private mutating func end(where isEnded: (Hold) -> Bool) -> [Hold] {
        let ended = holds.filter(isEnded)
        holds.removeAll(where: isEnded)
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

    var summary: CameraLatency.Summary? {
        let sorted = newest.sorted()
        guard let worst = sorted.last else { return nil }
        let middle = sorted.count / 2
        let median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        let (medianMs, worstMs) = (Milliseconds(median), Milliseconds(worst))
        return CameraLatency.Summary(count: sorted.count, medianMs: medianMs, worstMs: worstMs)
    }
}

/// Summary of all subscribers, by which the session opens and closes the camera and changes its size.
struct CameraNeed: Hashable {
    /// True while a client that opens the camera waits for a frame not taken yet; a closed device is opened for it.
    var isAwaited = false
    /// True while such a client waits that survives failures; the device is retried for it.
    var isAwaitedThroughFailure = false
    /// True while a client waits that a failure would fail; a due attempt is not delayed for it.
    var isUrgent = false
    /// True while a client waits for a frame or its encoding, or an examination, burst or live stream runs.
    var isInDemand = false
    /// True while a client waits for a frame of the usual size that has not been taken.
    var awaitsUsual = false
    var awaitsLargest = false
    var isLargestInDemand = false
    /// True while a burst of consecutive frames without gaps is being taken.
    var isInBurst = false
    /// Number of disconnected clients: a camera opened only for one of them is closed then.
    var gone = 0

    mutating func add(_ subscriber: Subscriber) {
        let (isOpen, isPending) = (subscriber.isOpen, subscriber.isPending)
        if isOpen, !subscriber.criteria.allowsGaps { isInBurst = true }
        if subscriber.criteria.isLargest {
            awaitsLargest = awaitsLargest || isOpen
            isLargestInDemand = isLargestInDemand || isPending
        } else if isOpen, subscriber.criteria.lifetime != .untilEnd {
            awaitsUsual = true
        }
        guard subscriber.criteria.opens else { return }
        isInDemand = isInDemand || isPending
        isAwaited = isAwaited || isOpen
        if subscriber.criteria.lifetime == .untilFailure {
            isUrgent = isUrgent || isPending
        } else {
            isAwaitedThroughFailure = isAwaitedThroughFailure || isOpen
        }
    }

    /// The part whose changes wake the session, which polls for the rest if it `outlastsClients`.
    func news(outlastsClients: Bool) -> CameraNeed {
        CameraNeed(
            isAwaited: isAwaited || outlastsClients,
            isInDemand: isInDemand || outlastsClients,
            awaitsLargest: awaitsLargest,
            isLargestInDemand: isLargestInDemand,
            gone: gone
        )
    }
}

extension MonotonicTime {
    /// A time before all others, for what has not happened yet.
    static let never = MonotonicTime(nanoseconds: .min / 2)
}

struct UseCount {
    /// Number of examinations, bursts and live streams that keep an open camera open.
    var watches = 0
    /// Number of active bursts from the ring, which forbid interruptions of the stream.
    var bursts = 0
    var gone = 0
    /// Time of the last delivery, end of a wait, or release of the camera by a client; ``MonotonicTime/never`` if none.
    var last = MonotonicTime.never

    /// Maximum pause between requests of a client that polls.
    static let usualPause = Duration.seconds(1)
}

struct StopCount {
    private(set) var count = 0
    private var problem: Problem?

    mutating func add(_ problem: Problem) { (count, self.problem) = (count + 1, problem) }

    /// Problem of the last stop command; nil if the camera was not stopped since the count was `count`.
    func problem(since count: Int) -> Problem? { self.count == count ? nil : problem }
}
