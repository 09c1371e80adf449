// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

/// State of a ``FrameDispatcher``: a plain value without lock, task or clock.
struct DispatchState {
    var subscribers = SubscriberTable()
    var memo: FrameMemo?
    var series: [FrameSeries] = []
    /// The newest frame while the camera is in use, delivered without the camera's thread.
    var held: Frame?
    var settling = SettlingState()
    /// True if the stream has the usual size, and if it has the largest one; both if these are equal.
    var (isUsualSize, isLargestSize) = (true, false)
    var opening: SessionSnapshot.Opening?
    var limits = FrameLimits()
    var damage = DamageLog()
    var use = UseCount()
    var stops = StopCount()
    /// True if the session polls for idle clients instead of being woken by each.
    var outlastsClients = false

    /// As of the last ``FrameDispatcher/change(_:)``.
    private(set) var need = CameraNeed()

    mutating func updateNeed() {
        var need = CameraNeed(isInDemand: use.watches > 0, isInBurst: use.bursts > 0, gone: use.gone)
        do {
            // A span copies no subscriber.
            let all = subscribers.all.span
            for index in all.indices { need.add(all[index]) }
        }
        self.need = need
    }

    private func serves(_ criteria: FrameCriteria) -> Bool { criteria.isLargest ? isLargestSize : isUsualSize }

    /// Admits clients that had asked before the driver's queue was seen empty, after buffer `newest`.
    mutating func admit(after newest: FrameKey, seenEmptyAt moment: MonotonicTime) {
        subscribers.changeAll { subscriber in
            if subscriber.admission == nil, subscriber.criteria.requestedAt <= moment { subscriber.admission = newest }
        }
    }

    /// Counts frames not good enough; `isOffered` if clients of raw frames were offered one of them.
    mutating func pass(over reason: SkipReason, count: Int, isOffered: Bool) {
        for index in subscribers.all.indices where serves(subscribers.all[index].criteria) {
            let isRaw = subscribers.all[index].criteria.options.integrity == .raw
            let passed = isRaw && isOffered ? count - 1 : count
            if passed > 0 { subscribers.change(at: index) { $0.pass(over: reason, count: passed) } }
        }
    }

    /// Returns the images to make now; a damaged frame is offered only to subscribers of raw frames.
    mutating func offer(
        _ stamp: FrameStamp,
        isNew: Bool,
        isDamaged: Bool = false,
        now: MonotonicTime
    ) -> [EncodingOptions] {
        let key = stamp.key
        // Each later frame continues the series.
        var wanted = isDamaged ? [] : series.indices.compactMap { series[$0].add(key) }
        for index in subscribers.all.indices {
            let criteria = subscribers.all[index].criteria
            guard subscribers.all[index].isOpen, serves(criteria) else { continue }
            if isDamaged, criteria.options.integrity != .raw { continue }
            // A frame from before the start of a span is not skipped: it was never wanted.
            let isCounted = isNew && stamp.dequeued >= criteria.requestedAt
            let admission = subscribers.all[index].admission
            let reason = criteria.objection(to: stamp, admission: admission, now: now, limits: limits)
            if let reason {
                if isCounted { subscribers.change(at: index) { $0.pass(over: reason) } }
                continue
            }
            // Settling is unknown in a stream without a good frame.
            let mayBeUnsettled = isDamaged && !settling.hasBegun
            guard mayBeUnsettled || settling.isGoodEnough(key, for: criteria, at: now) else {
                subscribers.change(at: index) { $0.holdBack(stamp, isNew: isCounted) }
                continue
            }
            if let memo, memo.key == key, memo.isDamaged(for: criteria.options) { continue }
            let isTaken = subscribers.change(at: index) { [opening] in $0.take(stamp, opening: opening, now: now) }
            if isTaken { order(stamp, for: index, now: now, &wanted) }
        }
        return wanted
    }

    private mutating func order(
        _ stamp: FrameStamp,
        for index: Int,
        now: MonotonicTime,
        _ wanted: inout [EncodingOptions]
    ) {
        let (key, criteria) = (stamp.key, subscribers.all[index].criteria)
        let options = criteria.options
        settling.requestAnalyses(of: key, for: criteria)
        if memo?.key == key {
            if let image = memo?.image(options) {
                subscribers.change(at: index) { $0.finish(key, .success(image)) }
                if criteria.opens { use.last = now }
                return
            }
            guard memo?.begin(options) == true else { return }
        } else if wanted.contains(options) || series.contains(where: { $0.key == key && $0.options == options }) {
            return
        }
        if options.average > 1 {
            let started = FrameSeries(stamp, options)
            series.append(started)
            wanted.append(options.part(of: started.average))
        } else {
            wanted.append(options)
        }
    }

    /// The client that was first to ask for an image being made; nil for the daemon itself.
    func client(awaiting options: EncodingOptions, of key: FrameKey) -> String? {
        var (options, key) = (options, key)
        if let part = options.part {
            guard let series = series.first(where: { $0.average == part }) else { return nil }
            (options, key) = (series.options, series.key)
        }
        return subscribers.all.first { $0.criteria.options == options && $0.queue.isEncoding(key) }?.place?.client
    }

    /// The newest frame for a client that needs no other, if its image is made already.
    mutating func ready(_ criteria: FrameCriteria, slept: Duration, now: MonotonicTime) -> FrameDelivery? {
        // After a suspend the age of an older frame is unknown, since the clock stood still.
        guard let memo, slept - memo.slept <= FrameDispatcher.nap, serves(criteria),
            var image = memo.image(criteria.options),
            criteria.objection(to: image.stamp, admission: nil, now: now, limits: limits) == nil,
            settling.isGoodEnough(memo.key, for: criteria, at: now)
        else { return nil }
        settling.requestAnalyses(of: memo.key, for: criteria)
        if criteria.opens { use.last = now }
        // Nothing was encoded for this client.
        image.encodeTime = .zero
        return FrameDelivery(image: image, isSettled: settling.isSettled(memo.key))
    }

    /// Subscribers of a damaged frame keep waiting, those of a refused image fail; returns as
    /// ``DamageLog/record(_:of:now:)``.
    mutating func finish(
        _ key: FrameKey,
        _ options: EncodingOptions,
        _ result: EncodingResult,
        now: MonotonicTime
    ) -> Bool? {
        series.removeAll { $0.key == key && $0.options == options }
        // An older frame is never offered again.
        if memo?.key == key { memo?.record(result, options) }
        // Another frame may yield the image, unless it is refused.
        let damaged: ImagingError? =
            switch result {
            case .success, .failure(.refused): nil
            case .failure(let error): error
            }
        let closing = subscribers.closing
        for index in subscribers.all.indices where subscribers.all[index].criteria.options == options {
            guard subscribers.all[index].queue.isEncoding(key) else { continue }
            subscribers.change(at: index) { subscriber in
                subscriber.finish(key, result)
                if let closing { subscriber.fail(closing) }
            }
            // A delivered frame counts as use of the camera, not only the end of the subscription.
            if damaged == nil, subscribers.all[index].criteria.opens { use.last = now }
        }
        return damaged.flatMap { damage.record($0, of: key, now: now) }
    }

    /// Also fails clients whose frame is being encoded.
    mutating func stop(_ problem: Problem) {
        stops.add(problem)
        breakSeries()
        subscribers.abandon(problem)
    }

    mutating func close(_ problem: Problem) {
        breakSeries()
        subscribers.close(problem)
    }

    func settlingNeed(at now: MonotonicTime) -> SettlingNeed {
        guard settling.settledFrom == nil else { return SettlingNeed() }
        var need = SettlingNeed()
        for subscriber in subscribers.all where subscriber.isOpen {
            if settling.isAwaited(by: subscriber.criteria, at: now) { need.isAwaited = true }
            guard subscriber.criteria.settle == .auto else { continue }
            let limit = settling.limit(of: subscriber.criteria)
            if limit > now { need.limit = min(limit, need.limit ?? limit) }
        }
        need.wantsAnalysis = need.isAwaited || settling.analysesLeft > 0
        return need
    }
}

/// Subscribers of one camera, oldest first.
struct SubscriberTable {
    private(set) var all: [Subscriber] = []
    /// Problem for every subscriber after the session has ended.
    private(set) var closing: Problem?
    private var nextID: UInt64 = 1
    private var woken: [TaskWaker] = []

    /// Adds a subscriber and returns its id; after the end of the session it fails at once.
    mutating func add(_ criteria: FrameCriteria, place: RequestLimiter.Place?, _ waker: TaskWaker) -> UInt64 {
        var subscriber = Subscriber(id: nextID, criteria, place: closing == nil ? place : nil, waker)
        nextID += 1
        if let closing { subscriber.fail(closing) }
        all.append(subscriber)
        return subscriber.id
    }

    mutating func remove(_ id: UInt64) -> Subscriber? { index(of: id).map { all.remove(at: $0) } }

    mutating func renew(_ id: UInt64, _ criteria: FrameCriteria) {
        guard let index = index(of: id) else { return }
        all[index].renew(criteria)
        if let closing { all[index].fail(closing) }
    }

    private func index(of id: UInt64) -> Int? { all.firstIndex { $0.id == id } }
    subscript(id: UInt64) -> Subscriber? { index(of: id).map { all[$0] } }

    @discardableResult
    mutating func change<R>(_ id: UInt64, _ body: (inout Subscriber) -> R) -> R? {
        index(of: id).map { change(at: $0, body) }
    }

    /// Changes a subscriber, and wakes its client if it has a new step.
    @discardableResult
    mutating func change<R>(at index: Int, _ body: (inout Subscriber) -> R) -> R {
        let wasReady = all[index].isReady
        defer { if !wasReady, all[index].isReady { woken.append(all[index].waker) } }
        return body(&all[index])
    }

    mutating func changeAll(_ body: (inout Subscriber) -> Void) { for index in all.indices { change(at: index, body) } }
    mutating func takeWoken() -> [TaskWaker] { exchange(&woken, with: []) }

    /// Fails the subscribers that live until a failure of the camera, or all once the session has ended.
    mutating func fail(_ problem: Problem) {
        changeAll { [closing] subscriber in
            if closing != nil || subscriber.criteria.lifetime == .untilFailure { subscriber.fail(problem) }
        }
    }

    mutating func failLargest(_ problem: Problem) { changeAll { if $0.criteria.isLargest { $0.fail(problem) } } }

    /// Fails the subscribers that live until a stop by command, also those whose frame is being encoded.
    mutating func abandon(_ problem: Problem) {
        changeAll { if $0.criteria.lifetime != .untilEnd { $0.abandon(problem) } }
    }

    mutating func close(_ problem: Problem) {
        closing = problem
        fail(problem)
    }
}
