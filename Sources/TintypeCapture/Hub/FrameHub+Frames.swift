// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeThreads

/// The side of the session.
extension FrameHub {
    /// Notes, for clients that came before `moment`, that the driver's queue was seen empty after `newest`.
    ///
    /// - Parameters:
    ///   - newest: the last buffer that had been taken by then.
    ///   - moment: when the queue began to be emptied; a frame may have come between it and a client that asked later.
    func admit(after newest: FrameKey, seenEmptyAt moment: MonotonicTime) {
        state.withLock { state in
            for (id, demand) in state.waiting where demand.admission == nil && demand.wish.requestedAt <= moment {
                state.waiting[id]?.admission = newest
            }
            if !state.feeds.isEmpty { state.admitFeeds(after: newest, seenEmptyAt: moment) }
        }
    }

    /// Offers a frame to all who wait.
    ///
    /// - Parameters:
    ///   - stamp: when it was taken.
    ///   - key: which frame it is.
    ///   - isNew: the frame was taken just now; a client that it does not do for counts it as passed over.
    ///   - slept: how long the machine had been suspended when the frame was taken; the present if nil.
    ///   - ring: what is to be made of it in any case; nil for nothing.
    /// - Returns: what has to be made of it now.
    func offer(
        _ stamp: FrameStamp,
        key: FrameKey,
        isNew: Bool,
        slept: Duration? = nil,
        ring: Rendition? = nil
    ) -> [Rendition] {
        let slept = slept ?? asleep()
        let (wanted, answers) = state.withLock { state -> ([Rendition], [(Reply<Frame>, Frame)]) in
            if isNew {
                state.newestKey = key
                state.newestSlept = slept
                state.snapshot.newest = stamp
                state.rendered.removeAll(keepingCapacity: true)
            }
            guard !state.waiting.isEmpty || !state.feeds.isEmpty || !state.series.isEmpty || ring != nil else {
                return ([], [])
            }
            // The machine was suspended between the frame and the request: its age cannot be told.
            guard asleep() - slept <= Self.nap else { return ([], []) }
            var (wanted, answers) = state.match(stamp, key: key, isNew: isNew, now: .now())
            if let ring, !wanted.contains(ring) {
                wanted.append(ring)
                state.renderForRing(Order(key: key, rendition: ring))
            }
            return (wanted, answers)
        }
        for (reply, frame) in answers { reply.resolve(.success(frame)) }
        return wanted
    }

    /// Counts frames that were not good enough to be offered.
    func pass(over reason: SkipReason, count: Int) {
        guard count > 0 else { return }
        state.withLock { state in
            for id in state.waiting.keys { state.waiting[id]?.skipped[reason, default: 0] += count }
            state.passInFeeds(over: reason, count: count)
        }
    }

    /// Hands an encoded frame to all who share it; those of a damaged one go on waiting, and those of a refused one are
    /// told why.
    ///
    /// - Returns: whether this is the first damaged frame after a minute without any.
    @discardableResult
    func finish(_ key: FrameKey, _ rendition: Rendition, _ result: Result<Frame, ImagingError>) -> Bool {
        if let average = rendition.part { return finish(key, partOf: average, rendition, result) }
        let order = Order(key: key, rendition: rendition)
        if case .failure(.refused(let problem)) = result {
            refuse(order, problem)
            return false
        }
        let (demands, isFirstDamage, closing) = state.withLock { state -> ([FrameDemand], Bool, Problem?) in
            let demands = state.rendering.removeValue(forKey: order) ?? []
            state.ringOnly.remove(order)
            state.finishFeeds(order, result)
            switch result {
            case .success(let frame):
                state.snapshot.counters.encoded += 1
                // An older frame is never offered again.
                if state.newestKey == key { state.rendered[order] = frame }
                for demand in demands { state.answeredSkips[demand.id] = demand.skipped }
                // A client that is answered has used the camera from now on, not only once it withdraws.
                if !demands.isEmpty { state.lastUse = .now() }
                return (demands, false, nil)
            case .failure(let error):
                if state.newestKey == key { state.noteDamage(key, for: rendition.standard) }
                for var demand in demands where state.closing == nil {
                    demand.skipped[error.skipReason, default: 0] += 1
                    if let fault = error.fault { demand.faults[fault, default: 0] += 1 }
                    state.waiting[demand.id] = demand
                }
                let isDamaged = error.skipReason == .corrupt
                if isDamaged { state.snapshot.counters.corrupt += 1 }
                let isFirst = isDamaged && state.noteDamage(now: .now())
                return (state.closing == nil ? [] : demands, isFirst, state.closing)
            }
        }
        guard case .success(let frame) = result else {
            // No further frame will come.
            if let closing { for demand in demands { demand.reply.resolve(.failure(closing)) } }
            return isFirstDamage
        }
        for demand in demands { demand.reply.resolve(.success(frame)) }
        return false
    }

    /// Damaged frames within this time of each other are one trouble.
    static let damageMemory = Duration.seconds(60)

    /// Tells all who wait that there will be no frame.
    func fail(_ problem: Problem) {
        let demands = state.withLock { state in
            state.failFeeds(problem)
            defer { state.waiting.removeAll() }
            return Array(state.waiting.values)
        }
        for demand in demands { demand.reply.resolve(.failure(problem)) }
    }

    /// Tells all who wait, and all who will come, that there will be no frame: the session has ended.
    func close(_ problem: Problem) {
        state.withLock { state in
            state.closing = problem
            state.breakSeries()
        }
        fail(problem)
    }

    /// Forgets the held frame: its device is closed.
    func forgetFrames() {
        state.withLock { state in
            state.newestKey = nil
            state.snapshot.newest = nil
            state.snapshot.exposure = nil
            state.rendered.removeAll()
            state.breakSeries()
        }
    }
}

extension FrameHub.State {
    /// Keeps a frame from being offered again to those for whom it is not good enough.
    fileprivate mutating func noteDamage(_ key: FrameKey, for standard: PictureStandard) {
        var standards = damaged?.key == key ? damaged?.standards ?? [] : []
        standards.insert(standard)
        damaged = (key, standards)
    }

    /// Notes that a frame is encoded only for the ring so far.
    fileprivate mutating func renderForRing(_ order: FrameHub.Order) {
        rendering[order] = rendering[order] ?? []
        ringOnly.insert(order)
    }

    fileprivate mutating func match(
        _ stamp: FrameStamp,
        key: FrameKey,
        isNew: Bool,
        now: MonotonicTime
    ) -> ([Rendition], [(Reply<Frame>, Frame)]) {
        var wanted = goOn(with: key)
        var answers: [(Reply<Frame>, Frame)] = []
        for (id, var demand) in waiting where serves(demand.wish) {
            var objection = demand.objection(to: stamp, key: key, now: now, stallLimit: snapshot.stallLimit)
            if objection == nil, holdsBack(stamp, key, demand, now: now) { objection = .unsettled }
            if let objection {
                if isNew { waiting[id]?.skipped[objection, default: 0] += 1 }
                continue
            }
            let rendition = demand.wish.rendition
            if damaged?.key == key, damaged?.standards.contains(rendition.standard) ?? false { continue }
            waiting[id] = nil
            noteTaken(key, by: &demand, at: now)
            let order = FrameHub.Order(key: key, rendition: rendition)
            if let frame = rendered[order] {
                answeredSkips[id] = demand.skipped
                lastUse = now
                answers.append((demand.reply, frame))
            } else {
                if rendering[order] == nil { wanted.append(begin(order, stamp)) }
                ringOnly.remove(order)
                rendering[order, default: []].append(demand)
            }
        }
        if !feeds.isEmpty { feed(stamp, key: key, isNew: isNew, now: now, &wanted) }
        return (wanted, answers)
    }
}
