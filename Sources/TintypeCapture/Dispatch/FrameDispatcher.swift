// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
package import TintypeModel
internal import TintypeSystem

/// Hands a session's frames to its subscriptions, under one lock; any thread, never blocks.
package final class FrameDispatcher: Sendable {
    let state = Mutex(DispatchState())
    let thread = ThreadWakeup()
    let mailbox: SessionMailbox
    package let limiter: RequestLimiter
    let published: PublishedState
    let clock: any MonotonicClock
    /// Minimum clock difference treated as a system suspend; smaller ones come from reading two clocks.
    static let nap = Duration.milliseconds(500)

    init(
        clock: any MonotonicClock,
        camera: String = "",
        places: Int = RequestLimiter.placesOfCamera,
        tell: @escaping EventSink = { _ in }
    ) {
        limiter = RequestLimiter(for: "wait for a frame of the camera \(camera)", places: places)
        self.clock = clock
        mailbox = SessionMailbox(clock: clock)
        published = PublishedState(camera: camera, tell: tell)
    }

    /// Changes the state, then wakes clients with a new step, and the session if the need for the camera changed.
    @discardableResult
    func change<R: Sendable>(_ body: (inout DispatchState) -> R) -> R {
        let (result, woken, isForSession) = state.withLock { state in
            let before = state.need.news(outlastsClients: state.outlastsClients)
            let result = body(&state)
            state.updateNeed()
            let after = state.need.news(outlastsClients: state.outlastsClients)
            return (result, state.subscribers.takeWoken(), after != before)
        }
        for waker in woken { waker.wake() }
        if isForSession { mailbox.waker.wake() }
        return result
    }

    var need: CameraNeed { state.withLock(\.need) }

    /// Subscribes to frames that match `criteria`; the daemon itself needs no place.
    ///
    /// If the held frame matches, `encode` is called for it before this method returns.
    func subscribe(
        _ criteria: FrameCriteria,
        in place: RequestLimiter.Place?,
        encode: @escaping FrameSubscription.Encode
    ) -> FrameSubscription {
        let waker = TaskWaker(clock: clock)
        let id = offerHeldFrame(for: criteria, encode) { $0.subscribers.add(criteria, place: place, waker) }
        return FrameSubscription(dispatcher: self, id: id, waker: waker, encode: encode)
    }

    /// Starts a subscription over with other criteria, once all its frames are delivered.
    func renew(_ subscription: FrameSubscription, _ criteria: FrameCriteria) {
        _ = offerHeldFrame(for: criteria, subscription.encode) { state in
            state.subscribers.renew(subscription.id, criteria)
            return subscription.id
        }
    }

    /// Enters a subscriber and offers the held frame; wakes the camera's thread if that does not suffice.
    private func offerHeldFrame(
        for criteria: FrameCriteria,
        _ encode: FrameSubscription.Encode,
        entering enter: (inout DispatchState) -> UInt64
    ) -> UInt64 {
        let (id, needsThread, held, wanted) = change { state in
            let id = enter(&state)
            if let problem = criteria.stops.flatMap({ state.stops.problem(since: $0) }) {
                state.subscribers.change(id) { $0.fail(problem) }
            }
            guard let held = state.held, clock.suspended() - (state.memo?.slept ?? .zero) <= Self.nap else {
                return (id, true, nil as Frame?, [] as [EncodingOptions])
            }
            let now = clock.now
            let wanted = state.offer(held.stamp, isNew: false, now: now)
            // A client that has a frame of this stream gets the next one when it arrives.
            let isServed = criteria.after.map { $0.stream == held.key.stream && criteria.fresh == .next } ?? false
            let isWaiting = state.subscribers[id]?.isOpen != false && !isServed
            return (id, isWaiting || state.settlingNeed(at: now).wantsAnalysis, held, wanted)
        }
        if let held { for options in wanted { encode(held, options) } }
        if needsThread { thread.wake() }
        return id
    }

    func remove(_ id: UInt64, isGone: Bool) -> PassedFrames {
        change { state in
            if isGone { state.use.gone += 1 }
            guard let subscriber = state.subscribers.remove(id) else { return PassedFrames() }
            if !isGone, subscriber.criteria.opens { state.use.last = clock.now }
            // Encodes in progress continue; their results reach the other clients, or none.
            state.endUnusedSeries()
            return subscriber.queue.passedOver
        }
    }

    /// Next step of a subscriber; nil if it has to wait, until it is woken.
    func step(of id: UInt64) -> FrameSubscription.Step? {
        change { state in
            guard let step = state.subscribers.change(id, { $0.next() }) else { return .end(skipped: [:]) }
            guard case .frame(var delivery) = step else { return step }
            delivery.isSettled = state.settling.isSettled(delivery.image.key)
            return .frame(delivery)
        }
    }

    /// The newest frame, if its image is made and matches; takes no place and does not wake the camera's thread.
    func ready(_ criteria: FrameCriteria) -> FrameDelivery? {
        let slept = clock.suspended()
        return state.withLock { $0.ready(criteria, slept: slept, now: clock.now) }
    }

    /// Keeps an open camera open until ``endWatch(isBurst:isGone:)``, for a burst also its stream uninterrupted.
    package func beginWatch(isBurst: Bool = false) {
        change { state in
            state.use.watches += 1
            if isBurst { state.use.bursts += 1 }
        }
    }

    /// Ends ``beginWatch(isBurst:)``; `isGone`: the client has disconnected, which does not count as use of the camera.
    package func endWatch(isBurst: Bool = false, isGone: Bool = false) {
        change { state in
            state.use.watches -= 1
            if isBurst { state.use.bursts -= 1 }
            if isGone { state.use.gone += 1 } else { state.use.last = clock.now }
        }
    }

    /// True while a client waits, or shortly after a delivery, since a polling client may return.
    var isInUse: Bool { state.withLock { $0.need.isInDemand || clock.now - $0.use.last < UseCount.usualPause } }

    /// ``UseCount/last``, from which on a lingering camera stays open.
    package var lastUse: MonotonicTime {
        get { state.withLock(\.use.last) }
        set { state.withLock { $0.use.last = newValue } }
    }

    var limits: FrameLimits {
        get { state.withLock(\.limits) }
        set { state.withLock { $0.limits = newValue } }
    }

    func hold(_ frame: Frame?) {
        // Releasing a frame requeues its buffer; not under the lock.
        let before = state.withLock { exchange(&$0.held, with: frame) }
        withExtendedLifetime(before) {}
    }

    /// Offers a frame to all waiting clients, and returns the images that the caller must have made for them.
    ///
    /// `slept` is the total suspend time of the machine when the frame was taken; the current one if nil. `ring` is
    /// made in any case.
    func offer(
        _ stamp: FrameStamp,
        isNew: Bool,
        slept: Duration? = nil,
        ring: EncodingOptions? = nil
    ) -> [EncodingOptions] {
        let slept = slept ?? clock.suspended()
        if isNew { published.update { $0.newest = stamp } }
        return change { state in
            // No image of an older frame is shared any more.
            if isNew { state.memo = FrameMemo(stamp.key, slept: slept) }
            guard ring != nil || !state.subscribers.all.isEmpty else { return [] }
            // The machine was suspended since the frame was taken, so its age is unknown.
            guard clock.suspended() - slept <= Self.nap else { return [] }
            var wanted = state.offer(stamp, isNew: isNew, now: clock.now)
            if let ring, state.memo?.begin(ring) ?? true { wanted.append(ring) }
            return wanted
        }
    }

    var takesDamaged: Bool {
        state.withLock { $0.subscribers.all.contains { $0.isOpen && $0.criteria.options.integrity == .raw } }
    }

    /// Offers a frame that the driver flagged as damaged to clients of raw frames; returns what to make of it.
    func offerDamaged(_ stamp: FrameStamp) -> [EncodingOptions] {
        change { $0.offer(stamp, isNew: true, isDamaged: true, now: clock.now) }
    }

    func pass(over reason: SkipReason, count: Int, isOffered: Bool = false) {
        guard count > 0 else { return }
        state.withLock { $0.pass(over: reason, count: count, isOffered: isOffered) }
    }

    /// Forgets the newest frame, because its device is closed or the privacy shutter was closed.
    func forgetFrames() {
        hold(nil)
        published.update { ($0.newest, $0.rate, $0.reading) = (nil, RateMeter(), nil) }
        change { state in
            state.memo = nil
            state.breakSeries()
        }
    }

    /// See ``DispatchState/finish(_:_:_:now:)``; true for the first damaged frame after a minute without any.
    @discardableResult
    func finish(_ key: FrameKey, _ options: EncodingOptions, _ result: EncodingResult) -> Bool {
        let isFirst: Bool?
        if let average = options.part {
            isFirst = finish(key, partOf: average, result)
        } else {
            if case .success = result { published.count { $0.encoded += 1 } }
            isFirst = change { $0.finish(key, options, result, now: clock.now) }
        }
        guard let isFirst else { return false }
        published.count { $0.corrupt += 1 }
        return isFirst
    }

    private func finish(_ part: FrameKey, partOf average: FrameAverage, _ result: EncodingResult) -> Bool? {
        guard let series = state.withLock({ $0.series.first { $0.average == average } }) else { return nil }
        switch result {
        case .success(let sum):
            guard !sum.jpeg.isEmpty else { return nil }
            var image = sum.dated(average.stamp, by: clock)
            image.describe(series.options, published.facts(at: average.stamp.exposureStart))
            published.count { $0.encoded += 1 }
            return change { $0.finish(series.key, series.options, .success(image), now: clock.now) }
        case .failure(.refused): return change { $0.finish(series.key, series.options, result, now: clock.now) }
        case .failure(let error): return change { $0.partWasDamaged(part, of: average, error, now: clock.now) }
        }
    }

    var stops: StopCount { state.withLock(\.stops) }

    /// True for a frame of the usual size that a client with `auto` policy would get, as far as settling goes.
    func isSteady(_ key: FrameKey) -> Bool {
        let now = clock.now
        return state.withLock { $0.isUsualSize && ($0.settling.isSettled(key) == true || now >= $0.settling.end) }
    }

    func settlingNeed(at now: MonotonicTime) -> SettlingNeed { state.withLock { $0.settlingNeed(at: now) } }
}

/// The frames of one client, for one task, which must call ``close(isGone:)`` at the end; suspends, never blocks.
package struct FrameSubscription: Sendable {
    package enum Step: Sendable {
        case frame(FrameDelivery)
        case end(skipped: [SkipReason: Int])
        case failed(Problem)
    }

    /// Makes an image of a frame, and passes it to ``FrameDispatcher/finish(_:_:_:)``.
    typealias Encode = @Sendable (Frame, EncodingOptions) -> Void

    let dispatcher: FrameDispatcher
    let id: UInt64
    let waker: TaskWaker
    let encode: Encode

    /// Waits for the next step until `moment`; nil on timeout, a problem with code `stopping` if the task is cancelled.
    package func next(until moment: MonotonicTime) async -> Step? {
        while true {
            if let step = dispatcher.step(of: id) { return step }
            if Task.isCancelled { return .failed(.requestAbandoned) }
            guard dispatcher.clock.now < moment else { return nil }
            await waker.sleep(until: moment)
        }
    }

    var lastUnwanted: MonotonicTime {
        dispatcher.state.withLock { $0.subscribers[id]?.lastUnwanted } ?? MonotonicTime.never
    }

    var passedOver: PassedFrames {
        dispatcher.state.withLock { $0.subscribers[id]?.queue.passedOver } ?? PassedFrames()
    }

    /// Returns the frames skipped since the last call; deliveries have them, too.
    package func takeUncounted() -> [SkipReason: Int] {
        dispatcher.change { state in state.subscribers.change(id) { $0.queue.takeUncounted() } ?? [:] }
    }

    /// Requests no further frame; frames already taken are still delivered.
    package func end() { dispatcher.change { state in state.subscribers.change(id) { $0.end() } } }

    /// Returns the frames skipped since the last delivery; a camera opened only for a client that `isGone` is closed.
    @discardableResult
    package func close(isGone: Bool) -> PassedFrames { dispatcher.remove(id, isGone: isGone) }
}

extension CaptureSession {
    package func frames(_ criteria: FrameCriteria, in place: RequestLimiter.Place?) -> FrameSubscription {
        dispatcher.subscribe(criteria, in: place) { [encoder = context.encoder] frame, options in
            encoder.encode(frame, as: options, mayCopyHere: true)
        }
    }
}
