// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
package import TintypeModel
internal import TintypeSystem

/// Hands a session's frames to its clients and publishes its state, under one lock; any thread, never blocks.
package final class FrameDispatcher: Sendable {
    enum StreamKind: Sendable {
        /// All clients except those that want the largest size.
        case usual
        /// Only clients that want the largest size.
        case largest
        /// All clients: the usual size is the largest.
        case both
    }

    struct State {
        var table = DemandTable()
        var snapshot = SessionSnapshot()
        /// The newest frame while the camera is in use, delivered without the camera's thread.
        var held: Frame?
        var warmth = WarmthReport()
        /// Number of examinations, bursts and live streams that keep an open camera open.
        var watches = 0
        /// Number of active bursts from the ring, which forbid interruptions of the stream.
        var bursts = 0
        /// Time of the last frame before the current full-size interruption.
        var gapBegan: MonotonicTime?
        var gaps = GapTable()
        var states: StateEventEmitter
        /// Number of stop commands to the camera, and the problem given to clients at the last one.
        var stops: (count: Int, problem: Problem?) = (0, nil)

        /// True if the session polls for idle clients instead of being woken by each.
        var outlastsClients = false

        /// See ``FrameDispatcher/isInDemand``.
        var isInDemand: Bool { watches > 0 || table.isPending }

        /// Number of disconnected clients: a camera opened only for one of them is closed then.
        var gone = 0

        /// Summary of all demands for the session, which opens, closes and resizes by it.
        fileprivate var need: Need {
            var need = Need(isInDemand: outlastsClients || watches > 0, isAwaited: outlastsClients, gone: gone)
            for demand in table.demands where demand.opens {
                let (isOpen, isPending, isLargest) = (demand.isOpen, demand.isPending, demand.wish.isLargest)
                need.isInDemand = need.isInDemand || isPending
                need.isAwaited = need.isAwaited || isOpen
                need.isLargestInDemand = need.isLargestInDemand || isPending && isLargest
                need.awaitsLargest = need.awaitsLargest || isOpen && isLargest
            }
            return need
        }
    }

    fileprivate struct Need: Equatable {
        var isInDemand: Bool
        var isAwaited: Bool
        let gone: Int
        var isLargestInDemand = false
        var awaitsLargest = false
    }

    let state: Mutex<State>
    let thread = ThreadWakeup()
    let mailbox: SessionMailbox
    package let room: RequestLimiter
    let clock: any MonotonicClock
    /// Minimum clock difference treated as a system suspend; smaller ones come from reading two clocks.
    static let nap = Duration.milliseconds(500)
    /// Maximum pause between requests of a client that polls.
    private static let usualPause = Duration.seconds(1)
    /// A time before all others, for a camera not used yet.
    static let never = MonotonicTime(nanoseconds: .min / 2)

    /// `tell` receives the events of `camera`, under the lock.
    init(
        clock: any MonotonicClock,
        camera: String = "",
        places: Int = RequestLimiter.placesOfCamera,
        tell: @escaping EventSink = { _ in }
    ) {
        room = RequestLimiter(of: camera, places: places)
        self.clock = clock
        mailbox = SessionMailbox(clock: clock)
        state = Mutex(State(states: StateEventEmitter(camera: camera, tell: tell)))
    }

    /// Changes the state, then wakes clients with a new result, and the session if the demand summary changed.
    @discardableResult
    func change<R: Sendable>(_ body: (inout State) -> R) -> R {
        let (result, woken, isForSession) = state.withLock { state in
            let before = state.need
            let result = body(&state)
            return (result, state.table.takeWoken(), state.need != before)
        }
        for waiter in woken { waiter.resolve(.success(true)) }
        if isForSession { mailbox.wake() }
        return result
    }

    /// Disables waking the session for each client that comes or goes.
    func set(outlastsClients: Bool) { state.withLock { $0.outlastsClients = outlastsClients } }

    package var snapshot: SessionSnapshot { state.withLock { $0.snapshot } }

    package func facts(at moment: MonotonicTime) -> CameraFacts { state.withLock { $0.snapshot.facts(at: moment) } }

    package func update(_ change: (inout SessionSnapshot) -> Void) {
        state.withLock { state in
            change(&state.snapshot)
            state.table.stallLimit = state.snapshot.stallLimit
            state.table.opening = state.snapshot.opening
        }
    }

    /// Changes the counters for an event outside the session.
    package func count(_ change: (inout CameraCounters) -> Void) { state.withLock { change(&$0.snapshot.counters) } }

    var warmth: WarmthReport { state.withLock { $0.warmth } }

    func updateWarmth(_ change: (inout WarmthReport) -> Void) { state.withLock { change(&$0.warmth) } }

    // MARK: - Clients

    /// Subscribes to frames that match `wish`; clients of the same options share the encode.
    ///
    /// The feed ends with ``FrameFeed/close(isGone:)`` and holds `place` until then; a subscription of the daemon
    /// itself needs no place. If the camera was stopped by command more than `stops` times, the feed fails at once: the
    /// camera must not be reopened for a client from before the stop. If the held frame matches, `making` is called
    /// with the options to make before this method returns.
    func open(
        _ plan: Demand.Plan,
        _ wish: FrameWish,
        in place: RequestLimiter.Place?,
        ifStopped stops: Int? = nil,
        making: (Frame, EncodingOptions) -> Void
    ) -> FrameFeed {
        let (id, needsThread, held, wanted) = change { state in
            let id = state.table.add(wish, plan, place: place)
            if let stops, let problem = state.stop(since: stops) { state.table.change(id) { $0.fail(problem) } }
            guard let held = state.held, clock.suspended() - (state.table.newest?.slept ?? .zero) <= Self.nap else {
                return (id, true, nil as Frame?, [] as [EncodingOptions])
            }
            let wanted = state.table.offer(held.stamp, key: held.key, isNew: false, now: clock.now)
            // Wake the camera's thread for more frames or an analysis. A client that has a frame of this stream gets
            // the next one when it arrives.
            let isServed = wish.after.map { $0.stream == held.key.stream && wish.fresh == .next } ?? false
            let needsThread =
                state.table.demand(id)?.isOpen != false && !isServed || state.table.wantsLook(at: clock.now)
            return (id, needsThread, held, wanted)
        }
        if let held { for options in wanted { making(held, options) } }
        if needsThread { thread.wake() }
        return FrameFeed(dispatcher: self, id: id)
    }

    func demand(_ id: UInt64) -> Demand? { state.withLock { $0.table.demand(id) } }

    package func ready(_ wish: FrameWish) -> FrameDelivery? {
        let slept = clock.suspended()
        return state.withLock { $0.table.ready(wish, slept: slept, now: clock.now) }
    }

    var isAwaited: Bool { state.withLock { $0.table.isAwaited } }

    /// See ``DemandTable/isAwaitedThroughFailure``.
    var isAwaitedThroughFailure: Bool { state.withLock { $0.table.isAwaitedThroughFailure } }

    /// See ``DemandTable/isUrgent``.
    var isUrgent: Bool { state.withLock { $0.table.isUrgent } }

    /// True while a client waits for a frame or its encoding, or an examination, burst or live stream runs.
    var isInDemand: Bool { state.withLock(\.isInDemand) }

    /// Keeps an open camera open until ``endWatch(isGone:)``; does not open a closed one.
    package func beginWatch() { change { $0.watches += 1 } }

    /// Ends ``beginWatch()``; `isGone`: the client has disconnected, which does not count as use of the camera.
    package func endWatch(isGone: Bool = false) {
        change { state in
            state.watches -= 1
            if isGone { state.gone += 1 } else { state.table.lastUse = clock.now }
        }
    }

    /// Keeps an open camera open and its stream uninterrupted until ``endBurst(isGone:)``.
    package func beginBurst() {
        change { state in
            state.bursts += 1
            state.watches += 1
        }
    }

    package func endBurst(isGone: Bool) {
        state.withLock { $0.bursts -= 1 }
        endWatch(isGone: isGone)
    }

    /// Time of the last delivery, end of a wait, or release of the camera by a client; ``never`` if none.
    var lastUse: MonotonicTime { state.withLock { $0.table.lastUse } }

    /// True while a client waits, or shortly after a delivery, since a polling client may return.
    var isInUse: Bool { state.withLock { $0.isInDemand || clock.now - $0.table.lastUse < Self.usualPause } }

    /// Records a use of the camera that ends now: a lingering camera stays open from here on.
    package func recordUse() { state.withLock { $0.table.lastUse = clock.now } }

    /// Forgets the last use, so that a lingering camera closes.
    func forgetUse() { state.withLock { $0.table.lastUse = Self.never } }

    // MARK: - Settling of exposure and white balance

    /// Restarts settling, after the first good frame of a stream or a change of controls; clients with `auto` policy
    /// wait until `end` at most.
    func beginSettling(stream: UInt64, until end: MonotonicTime) {
        state.withLock { $0.table.settling.begin(stream: stream, until: end) }
    }

    /// Records the analysis of the frame dequeued at `moment`; frames from `key` on are settled, unless nil.
    func recordLook(
        at moment: MonotonicTime,
        settledFrom key: FrameKey?,
        hasSeenChange: Bool,
        isBlackUntil blackEnd: MonotonicTime? = nil
    ) {
        state.withLock {
            $0.table.settling.record(at: moment, settledFrom: key, hasSeenChange: hasSeenChange, isBlackUntil: blackEnd)
        }
    }

    /// True if exposure and white balance had settled at a frame; nil if that was not analysed.
    package func isSettled(_ key: FrameKey) -> Bool? { state.withLock { $0.table.settling.isSettled(key) } }

    func isSettlingAwaited(at now: MonotonicTime) -> Bool { state.withLock { $0.table.isSettlingAwaited(at: now) } }

    func wantsLook(at now: MonotonicTime) -> Bool { state.withLock { $0.table.wantsLook(at: now) } }

    func nextSettleLimit(after now: MonotonicTime) -> MonotonicTime? {
        state.withLock { $0.table.nextSettleLimit(after: now) }
    }
}
