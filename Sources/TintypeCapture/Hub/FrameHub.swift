// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
package import TintypeModel
internal import TintypeSystem

/// Where a session's frames meet the clients that want them, and where it publishes its state.
///
/// The lock around a ``DemandTable`` and around what is published. Any thread; never blocks.
package final class FrameHub: Sendable {
    /// Whom the frames of a stream are for.
    enum StreamKind: Sendable {
        /// For all but clients that want the largest size.
        case usual
        /// For clients that want the largest size, and for no others.
        case largest
        /// For everybody: the usual size is the largest.
        case both
    }

    struct State {
        var table = DemandTable()
        var snapshot = SessionSnapshot()
        /// The newest frame, where clients have asked of late: they have it without the camera's thread.
        var held: CapturedPicture?
        var warmth = WarmthReport()
        /// Examinations and timed bursts that go on: an open camera stays open for them.
        var watches = 0
        /// Bursts of the ring that go on: the stream is not interrupted meanwhile.
        var bursts = 0
        /// When the last frame came before the interruption for the largest size that goes on.
        var gapBegan: MonotonicTime?
        /// Interruptions for the largest size, by the stream that ran in them.
        var gaps = GapTable()
        /// What was told of what the session does.
        var states: ToldStates
        /// How often the camera was stopped by command, and what was told the last time.
        var stops: (count: Int, problem: Problem?) = (0, nil)

        /// Whether the stream outlasts its clients so long that the session looks for itself whether there are any.
        var outlastsClients = false

        /// See ``FrameHub/isInDemand``.
        var isInDemand: Bool { watches > 0 || table.isPending }

        /// How many clients went away: a camera that was opened for one of them alone closes then.
        var gone = 0

        /// What of all that clients want the session has to be told of: it decides by it whether a device is open, and in
        /// which size.
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
    /// Wakes the camera's thread.
    let thread = ThreadWakeup()
    /// What waits for the session.
    let inbox: SessionInbox
    /// The places for waiting clients here.
    package let room: WaitingRoom
    /// By which it goes.
    let clock: any MonotonicClock
    /// A suspend is longer than this; what is shorter comes from reading two clocks.
    static let nap = Duration.milliseconds(500)
    /// Who asks again does so within this time.
    private static let usualPause = Duration.seconds(1)
    /// A moment before every other: the camera was not used yet.
    static let never = MonotonicTime(nanoseconds: .min / 2)

    /// A hub without clients; `tell` gets what `camera` does, under the lock.
    init(
        clock: any MonotonicClock,
        camera: String = "",
        places: Int = WaitingRoom.placesOfCamera,
        tell: @escaping EventSink = { _ in }
    ) {
        room = WaitingRoom(of: camera, places: places)
        self.clock = clock
        inbox = SessionInbox(clock: clock)
        state = Mutex(State(states: ToldStates(camera: camera, tell: tell)))
    }

    /// Changes the table, and wakes the clients for which there is something then, and the session where there is for it.
    @discardableResult
    func change<R: Sendable>(_ body: (inout State) -> R) -> R {
        let (result, woken, isForSession) = state.withLock { state in
            let before = state.need
            let result = body(&state)
            return (result, state.table.takeWoken(), state.need != before)
        }
        for waiter in woken { waiter.resolve(.success(true)) }
        if isForSession { inbox.wake() }
        return result
    }

    /// Says whether clients that come and go are nothing that the session has to be woken for.
    func set(outlastsClients: Bool) { state.withLock { $0.outlastsClients = outlastsClients } }

    // MARK: - What is published

    /// What the session last published.
    package var snapshot: SessionSnapshot { state.withLock { $0.snapshot } }

    /// See ``SessionSnapshot/facts(at:)``.
    package func facts(at moment: MonotonicTime) -> CameraFacts { state.withLock { $0.snapshot.facts(at: moment) } }

    /// Changes what is published.
    package func update(_ change: (inout SessionSnapshot) -> Void) {
        state.withLock { state in
            change(&state.snapshot)
            state.table.stallLimit = state.snapshot.stallLimit
            state.table.opening = state.snapshot.opening
        }
    }

    /// Counts something that happened outside the session.
    package func count(_ change: (inout CameraCounters) -> Void) {
        state.withLock { change(&$0.snapshot.counters) }
    }

    /// What the session last published of its warmth.
    var warmth: WarmthReport { state.withLock { $0.warmth } }

    /// Changes what is published of the warmth.
    func updateWarmth(_ change: (inout WarmthReport) -> Void) { state.withLock { change(&$0.warmth) } }
}

/// The side of clients.
extension FrameHub {
    /// Begins to take frames that are as wished, as many as planned; an encode is shared with all who want the same.
    ///
    /// Ends with ``FrameFeed/close(isGone:)``; `place` is held until then; a
    /// subscription, which is of the daemon itself, needs none.
    ///
    /// Where `stops` says how often the camera had been stopped by command, and it has been since, the answer is why: it
    /// must not be opened again for a client from before.
    ///
    /// Where the frame that is held does for it, `making` is told what is to be made of that, before this returns.
    func open(
        _ plan: Demand.Plan,
        _ wish: FrameWish,
        in place: WaitingRoom.Place?,
        ifStopped stops: Int? = nil,
        making: (CapturedPicture, Rendition) -> Void
    ) -> FrameFeed {
        let (id, needsThread, held, wanted) = change { state in
            let id = state.table.add(wish, plan, place: place)
            if let stops, let problem = state.stop(since: stops) {
                state.table.change(id) { $0.fail(problem) }
            }
            guard let held = state.held, clock.suspended() - (state.table.newest?.slept ?? .zero) <= Self.nap else {
                return (id, true, nil as CapturedPicture?, [] as [Rendition])
            }
            let wanted = state.table.offer(held.stamp, key: held.key, isNew: false, now: clock.now)
            // It wants more, or a look at this one. One that has had a frame of a stream gets the next when that comes.
            let isServed = wish.after.map { $0.stream == held.key.stream && wish.fresh == .next } ?? false
            let needsThread =
                state.table.demand(id)?.isOpen != false && !isServed || state.table.wantsLook(at: clock.now)
            return (id, needsThread, held, wanted)
        }
        if let held { for rendition in wanted { making(held, rendition) } }
        if needsThread { thread.wake() }
        return FrameFeed(hub: self, id: id)
    }

    /// What a client has been promised, if it is still there.
    func demand(_ id: UInt64) -> Demand? { state.withLock { $0.table.demand(id) } }

    /// A frame that needs no waiting: encoded already, and fresh enough.
    package func ready(_ wish: FrameWish) -> FrameDelivery? {
        let slept = clock.suspended()
        return state.withLock { $0.table.ready(wish, slept: slept, now: clock.now) }
    }

    /// Whether anybody waits for a frame that has not been taken yet: what a closed device has to be opened for.
    var isAwaited: Bool { state.withLock { $0.table.isAwaited } }

    /// Whether anybody waits for a frame or for its encode, or examines the camera.
    var isInDemand: Bool { state.withLock(\.isInDemand) }

    /// Keeps an open camera open until ``endWatch(isGone:)``; opens none, as those do who wait for a frame.
    package func beginWatch() { change { $0.watches += 1 } }

    /// Ends what ``beginWatch()`` began.
    ///
    /// `isGone` says that the client has gone away: that is no use that a camera lingers for.
    package func endWatch(isGone: Bool = false) {
        change { state in
            state.watches -= 1
            if isGone { state.gone += 1 } else { state.table.lastUse = clock.now }
        }
    }

    /// Keeps an open camera open, and its stream from being interrupted, until ``endBurst(isGone:)``.
    package func beginBurst() {
        change { state in
            state.bursts += 1
            state.watches += 1
        }
    }

    /// Ends what ``beginBurst()`` began.
    package func endBurst(isGone: Bool) {
        state.withLock { $0.bursts -= 1 }
        endWatch(isGone: isGone)
    }

    /// When a client last had a frame, stopped waiting, or ended to hold the camera; ``never`` if none has.
    var lastUse: MonotonicTime { state.withLock { $0.table.lastUse } }

    /// Whether a client waits, or one had a frame not longer ago than clients let pass that ask again and again.
    var isInUse: Bool { state.withLock { $0.isInDemand || clock.now - $0.table.lastUse < Self.usualPause } }

    /// Takes this moment as the end of a use: a camera that lingers stays open from here on.
    package func recordUse() { state.withLock { $0.table.lastUse = clock.now } }

    /// Forgets the last use: a camera that lingers has nothing to stay open for.
    func forgetUse() { state.withLock { $0.table.lastUse = Self.never } }
}

/// Settling, as waiting clients see it.
extension FrameHub {
    /// A stream has given its first good frame, or its controls were changed: a client that wants settled frames waits
    /// again, until `end` where they wait no longer than settling may take.
    func beginSettling(stream: UInt64, until end: MonotonicTime) {
        state.withLock { $0.table.settling.begin(stream: stream, until: end) }
    }

    /// A frame was looked at that came at `moment`; those from `key` on are settled, if it is given.
    func recordLook(
        at moment: MonotonicTime,
        settledFrom key: FrameKey?,
        hasSeenChange: Bool,
        isBlackUntil blackEnd: MonotonicTime? = nil
    ) {
        state.withLock {
            $0.table.settling.record(
                at: moment,
                settledFrom: key,
                hasSeenChange: hasSeenChange,
                isBlackUntil: blackEnd
            )
        }
    }

    /// Whether exposure and white balance had settled at a frame; nil where that was not looked at.
    package func isSettled(_ key: FrameKey) -> Bool? { state.withLock { $0.table.settling.isSettled(key) } }

    /// Whether a client waits for settling now.
    func isSettlingAwaited(at now: MonotonicTime) -> Bool { state.withLock { $0.table.isSettlingAwaited(at: now) } }

    /// Whether the next frame is worth a look.
    func wantsLook(at now: MonotonicTime) -> Bool { state.withLock { $0.table.wantsLook(at: now) } }

    /// When the next waiting client gives up on settling; nil if none will.
    func nextSettleLimit(after now: MonotonicTime) -> MonotonicTime? {
        state.withLock { $0.table.nextSettleLimit(after: now) }
    }
}
