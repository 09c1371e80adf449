// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeSystem

/// State of a ``FrameDispatcher``: a plain value without lock, task or clock.
struct DispatchState {
    var subscribers = SubscriberTable()
    /// Images of the newest frame; nil before the first one of a stream.
    var memo: FrameMemo?
    var series: [FrameSeries] = []
    /// The newest frame while the camera is in use, delivered without the camera's thread.
    var held: Frame?
    var settling = SettlingState()
    /// True if the stream has the usual size, and if it has the largest one; both if these are equal.
    var (isUsualSize, isLargestSize) = (true, false)
    var opening: SessionSnapshot.Opening?
    /// Maximum age of a `latest` frame.
    var stallLimit = Duration.seconds(2)
    var damage = DamageLog()
    var use = UseCount()
    var stops = StopCount()
    /// True if the session polls for idle clients instead of being woken by each.
    var outlastsClients = false

    var need: CameraNeed {
        var need = CameraNeed(isInDemand: use.watches > 0, isInBurst: use.bursts > 0, gone: use.gone)
        for subscriber in subscribers.all { need.add(subscriber) }
        return need
    }

    // MARK: - Frames

    /// True if frames of the stream have the size of the request.
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

    /// Offers a frame to all subscribers, a damaged one only to those of raw frames, and returns the images to make now;
    /// subscribers that reject a new frame count it as skipped.
    mutating func offer(
        _ stamp: FrameStamp,
        key: FrameKey,
        isNew: Bool,
        isDamaged: Bool = false,
        now: MonotonicTime
    ) -> [EncodingOptions] {
        // Each later frame continues the series.
        var wanted = isDamaged ? [] : series.indices.compactMap { series[$0].add(key) }
        for index in subscribers.all.indices {
            let criteria = subscribers.all[index].criteria
            guard subscribers.all[index].isOpen, serves(criteria) else { continue }
            if isDamaged, criteria.options.integrity != .raw { continue }
            // A frame from before the start of a span is not skipped: it was never wanted.
            let isCounted = isNew && stamp.dequeued >= criteria.requestedAt
            let admission = subscribers.all[index].admission
            let reason = criteria.objection(to: stamp, key: key, admission: admission, now: now, stallLimit: stallLimit)
            if let reason {
                if isCounted { subscribers.change(at: index) { $0.pass(over: reason) } }
                continue
            }
            // Settling is unknown in a stream without a good frame.
            let mayBeUnsettled = isDamaged && !settling.hasBegun
            guard mayBeUnsettled || settling.isGoodEnough(key, for: criteria, at: now) else {
                subscribers.change(at: index) { $0.holdBack(stamp, key: key, isNew: isCounted) }
                continue
            }
            if let memo, memo.key == key, memo.isDamaged(for: criteria.options.standard) { continue }
            let isTaken = subscribers.change(at: index) { [opening] in
                $0.take(stamp, key: key, opening: opening, now: now)
            }
            if isTaken { order(key, stamp, for: index, now: now, &wanted) }
        }
        return wanted
    }

    /// Adds the image of a taken frame to those to make, unless it is made already or being made.
    private mutating func order(
        _ key: FrameKey,
        _ stamp: FrameStamp,
        for index: Int,
        now: MonotonicTime,
        _ wanted: inout [EncodingOptions]
    ) {
        let criteria = subscribers.all[index].criteria
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
            let started = FrameSeries(key, stamp, options)
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

    /// The newest frame as a delivery, if its image is made and matches the criteria.
    mutating func ready(_ criteria: FrameCriteria, slept: Duration, now: MonotonicTime) -> FrameDelivery? {
        // After a suspend the age of an older frame is unknown, since the clock stood still.
        guard let memo, slept - memo.slept <= FrameDispatcher.nap, serves(criteria),
            let image = memo.image(criteria.options),
            criteria.objection(to: image.stamp, key: memo.key, admission: nil, now: now, stallLimit: stallLimit) == nil,
            settling.isGoodEnough(memo.key, for: criteria, at: now)
        else { return nil }
        settling.requestAnalyses(of: memo.key, for: criteria)
        if criteria.opens { use.last = now }
        return FrameDelivery(image: image, isSettled: settling.isSettled(memo.key))
    }

    // MARK: - Images

    /// Delivers an image to all subscribers that share it; those of a damaged frame keep waiting, those of a refused
    /// image fail; returns as ``DamageLog/record(_:of:now:)``.
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
                // The session has ended.
                if let closing { subscriber.fail(closing) }
            }
            // A delivered frame counts as use of the camera, not only the end of the subscription.
            if damaged == nil, subscribers.all[index].criteria.opens { use.last = now }
        }
        return damaged.flatMap { damage.record($0, of: key, now: now) }
    }

    // MARK: - Ends

    /// Fails all clients because the camera is stopped, including those whose frame is being encoded.
    mutating func stop(_ problem: Problem) {
        stops.add(problem)
        breakSeries()
        subscribers.abandon(problem)
    }

    /// Fails a subscriber if the camera was stopped since the count of stop commands was `count`.
    mutating func fail(_ id: UInt64, ifStoppedSince count: Int) {
        guard let problem = stops.problem(since: count) else { return }
        subscribers.change(id) { $0.fail(problem) }
    }

    /// Ends the session: fails all current and future clients.
    mutating func close(_ problem: Problem) {
        breakSeries()
        subscribers.close(problem)
    }

    // MARK: - Settling

    /// Work for settling that the camera's thread has to do at `now`.
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

struct SettlingNeed: Hashable {
    /// True while a client waits for settled frames.
    var isAwaited = false
    /// True if the next frame should be analysed.
    var wantsAnalysis = false
    /// Next time at which a waiting client stops waiting for settled frames.
    var limit: MonotonicTime?
}

extension MonotonicTime {
    /// A time before all others, for what has not happened yet.
    static let never = MonotonicTime(nanoseconds: .min / 2)
}

/// Use of the camera by clients, beside the frames for which they wait.
struct UseCount {
    /// Number of examinations, bursts and live streams that keep an open camera open.
    var watches = 0
    /// Number of active bursts from the ring, which forbid interruptions of the stream.
    var bursts = 0
    /// See ``CameraNeed/gone``.
    var gone = 0
    /// Time of the last delivery, end of a wait, or release of the camera by a client; ``MonotonicTime/never`` if none.
    var last = MonotonicTime.never

    /// Maximum pause between requests of a client that polls.
    static let usualPause = Duration.seconds(1)
}

struct StopCount {
    /// Number of stop commands to the camera.
    private(set) var count = 0
    /// Problem given to clients at the last one.
    private var problem: Problem?

    mutating func add(_ problem: Problem) { (count, self.problem) = (count + 1, problem) }

    /// Problem of the last stop command; nil if the camera was not stopped since the count was `count`.
    func problem(since count: Int) -> Problem? { self.count == count ? nil : problem }
}
