// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
package import TintypeModel
internal import TintypeSystem

/// The side of the session: frames, and what is made of them.
extension FrameHub {
    /// See ``DemandTable/admit(after:seenEmptyAt:)``.
    func admit(after newest: FrameKey, seenEmptyAt moment: MonotonicTime) {
        state.withLock { $0.table.admit(after: newest, seenEmptyAt: moment) }
    }

    /// Keeps the newest frame for clients that come, or none.
    func hold(_ picture: CapturedPicture?) {
        // What ends here gives its buffer back: not in the lock.
        let before = state.withLock { exchange(&$0.held, with: picture) }
        withExtendedLifetime(before) {}
    }

    /// Offers a frame to all who wait; where it `isNew`, clients that it does not do for count it as passed over.
    ///
    /// `slept` is how long the machine had been suspended when it was taken; the present if nil. `ring` is made of it in any
    /// case. Returns what has to be made of it now.
    func offer(
        _ stamp: FrameStamp,
        key: FrameKey,
        isNew: Bool,
        slept: Duration? = nil,
        ring: Rendition? = nil
    ) -> [Rendition] {
        let slept = slept ?? clock.suspended()
        return change { state in
            if isNew {
                state.snapshot.newest = stamp
                state.table.begin(key, slept: slept)
            }
            guard ring != nil || !state.table.isIdle else { return [] }
            // The machine was suspended between the frame and the request: its age cannot be told.
            guard clock.suspended() - slept <= Self.nap else { return [] }
            var wanted = state.table.offer(stamp, key: key, isNew: isNew, now: clock.now)
            if let ring, !wanted.contains(ring) {
                wanted.append(ring)
                state.table.render(DemandTable.Order(key: key, rendition: ring))
            }
            return wanted
        }
    }

    /// Whether anybody waits who takes a frame as it is.
    var takesDamaged: Bool {
        state.withLock { state in
            state.table.demands.contains { $0.isOpen && $0.wish.rendition.integrity == .raw }
        }
    }

    /// Offers a frame that the driver calls damaged to clients that take it as it is.
    ///
    /// It is never the newest one that is held, and is never given later. Returns what has to be made of it now.
    func offerDamaged(_ stamp: FrameStamp, key: FrameKey) -> [Rendition] {
        change { $0.table.offer(stamp, key: key, isNew: true, isDamaged: true, now: clock.now) }
    }

    /// Counts frames that were not good enough to be offered.
    func pass(over reason: SkipReason, count: Int) {
        guard count > 0 else { return }
        state.withLock { $0.table.pass(over: reason, count: count) }
    }

    /// Hands an encoded frame to all who share it; those of a damaged one go on waiting, and those of a refused one are
    /// told why.
    ///
    /// Returns whether this is the first damaged frame after a minute without any.
    @discardableResult
    func finish(_ key: FrameKey, _ rendition: Rendition, _ result: Result<Frame, ImagingError>) -> Bool {
        if let average = rendition.part { return finish(partOf: average, result) }
        return finish(DemandTable.Order(key: key, rendition: rendition), result)
    }

    private func finish(_ order: DemandTable.Order, _ result: Result<Frame, ImagingError>) -> Bool {
        change { state in
            if case .success = result { state.snapshot.counters.encoded += 1 }
            return state.conclude(state.table.finish(order, result, now: clock.now))
        }
    }

    /// One of several frames that become a picture was added, or is damaged; the last makes the picture.
    private func finish(partOf average: FrameAverage, _ result: Result<Frame, ImagingError>) -> Bool {
        guard let order = state.withLock({ $0.table.order(of: average) }) else { return false }
        switch result {
        case .success(let frame):
            guard !frame.picture.jpeg.isEmpty else { return false }
            let made = Frame(
                stamp: average.stamp,
                key: order.key,
                name: FrameName(of: average.stamp, by: clock),
                picture: frame.picture,
                encodeTime: frame.encodeTime,
                appearance: frame.appearance
            )
            return finish(order, .success(made.described(order.rendition, facts(at: made.stamp.exposureStart))))
        case .failure(.refused): return finish(order, result)
        case .failure(let error):
            return change { state in state.conclude(state.table.partWasDamaged(order, error, now: clock.now)) }
        }
    }

    /// Forgets the held frame: its device is closed.
    func forgetFrames() {
        hold(nil)
        change { state in
            state.snapshot.newest = nil
            state.snapshot.rate = RateMeter()
            state.snapshot.reading = nil
            state.table.forgetFrames()
        }
    }

    /// What everybody is told since the session has ended; nil before.
    package var closing: Problem? { state.withLock { $0.table.closing } }

    /// Tells all who wait that there will be no frame.
    func fail(_ problem: Problem) { change { $0.table.fail(problem) } }

    /// Tells all who wait that there will be no frame, also those whose frame is being encoded: the camera is stopped.
    func failAll(_ problem: Problem) {
        change { state in
            state.stops = (state.stops.count + 1, problem)
            state.table.abandon(problem)
        }
    }

    /// Tells all who wait, and all who will come, that there will be no frame: the session has ended.
    func close(_ problem: Problem) { change { $0.table.close(problem) } }

    /// How often the camera was stopped by command.
    package var stops: Int { state.withLock { $0.stops.count } }

    /// What those are told who waited when the camera was last stopped; nil if that has not been since it had been
    /// stopped `count` times.
    package func stop(since count: Int) -> Problem? { state.withLock { $0.stop(since: count) } }
}

extension FrameHub.State {
    /// See ``FrameHub/stop(since:)``.
    func stop(since count: Int) -> Problem? { stops.count == count ? nil : stops.problem }

    /// Counts what has come of a rendering; returns whether it is the first damaged frame after a minute without any.
    fileprivate mutating func conclude(_ finish: DemandTable.Finish) -> Bool {
        guard case .damaged(let isFirst) = finish else { return false }
        snapshot.counters.corrupt += 1
        return isFirst
    }
}
