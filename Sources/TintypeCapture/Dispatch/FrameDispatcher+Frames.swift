// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
package import TintypeModel
internal import TintypeSystem

extension FrameDispatcher {
    /// See ``DemandTable/admit(after:seenEmptyAt:)``.
    func admit(after newest: FrameKey, seenEmptyAt moment: MonotonicTime) {
        state.withLock { $0.table.admit(after: newest, seenEmptyAt: moment) }
    }

    /// Holds the newest frame for clients to come, or none.
    func hold(_ picture: Frame?) {
        // Releasing a frame requeues its buffer; not under the lock.
        let before = state.withLock { exchange(&$0.held, with: picture) }
        withExtendedLifetime(before) {}
    }

    /// Offers a frame to all waiting clients; those that reject a new one count it as skipped.
    ///
    /// `slept` is the total suspend time of the machine when the frame was taken; the current one if nil. `ring` is
    /// rendered in any case. Returns the options to make now.
    func offer(
        _ stamp: FrameStamp,
        key: FrameKey,
        isNew: Bool,
        slept: Duration? = nil,
        ring: EncodingOptions? = nil
    ) -> [EncodingOptions] {
        let slept = slept ?? clock.suspended()
        return change { state in
            if isNew {
                state.snapshot.newest = stamp
                state.table.begin(key, slept: slept)
            }
            guard ring != nil || !state.table.isIdle else { return [] }
            // The machine was suspended since the frame was taken, so its age is unknown.
            guard clock.suspended() - slept <= Self.nap else { return [] }
            var wanted = state.table.offer(stamp, key: key, isNew: isNew, now: clock.now)
            if let ring, !wanted.contains(ring) {
                wanted.append(ring)
                state.table.render(DemandTable.Order(key: key, options: ring))
            }
            return wanted
        }
    }

    var takesDamaged: Bool {
        state.withLock { state in state.table.demands.contains { $0.isOpen && $0.wish.options.integrity == .raw } }
    }

    /// Offers a frame that the driver flagged as damaged to clients of raw frames, only now; returns the options to
    /// make.
    func offerDamaged(_ stamp: FrameStamp, key: FrameKey) -> [EncodingOptions] {
        change { $0.table.offer(stamp, key: key, isNew: true, isDamaged: true, now: clock.now) }
    }

    /// Counts skipped frames that were not good enough; `isOffered` if clients of raw frames were offered one of them.
    func pass(over reason: SkipReason, count: Int, isOffered: Bool = false) {
        guard count > 0 else { return }
        state.withLock { $0.table.pass(over: reason, count: count, isOffered: isOffered) }
    }

    /// Delivers as ``DemandTable/finish(_:_:now:)``; returns true for the first damaged frame after a minute without
    /// any.
    @discardableResult
    func finish(_ key: FrameKey, _ options: EncodingOptions, _ result: Result<EncodedImage, ImagingError>) -> Bool {
        if let average = options.part { return finish(partOf: average, result) }
        return finish(DemandTable.Order(key: key, options: options), result)
    }

    private func finish(_ order: DemandTable.Order, _ result: Result<EncodedImage, ImagingError>) -> Bool {
        change { state in
            if case .success = result { state.snapshot.counters.encoded += 1 }
            return state.conclude(state.table.finish(order, result, now: clock.now))
        }
    }

    /// The client that was first to ask for a options being made; nil for the daemon itself.
    func client(awaiting options: EncodingOptions, of key: FrameKey) -> String? {
        state.withLock { $0.table.client(awaiting: options, of: key) }
    }

    /// Handles the result for one frame of an averaged picture; the last one completes the picture.
    private func finish(partOf average: FrameAverage, _ result: Result<EncodedImage, ImagingError>) -> Bool {
        guard let order = state.withLock({ $0.table.order(of: average) }) else { return false }
        switch result {
        case .success(let frame):
            guard !frame.picture.jpeg.isEmpty else { return false }
            let made = EncodedImage(
                stamp: average.stamp,
                key: order.key,
                name: FrameName(of: average.stamp, by: clock),
                picture: frame.picture,
                encodeTime: frame.encodeTime,
                appearance: frame.appearance
            )
            return finish(order, .success(made.described(order.options, facts(at: made.stamp.exposureStart))))
        case .failure(.refused): return finish(order, result)
        case .failure(let error):
            return change { state in state.conclude(state.table.partWasDamaged(order, error, now: clock.now)) }
        }
    }

    /// Drops the held frame, since its device is closed.
    func forgetFrames() {
        hold(nil)
        change { state in
            state.snapshot.newest = nil
            state.snapshot.rate = RateMeter()
            state.snapshot.reading = nil
            state.table.forgetFrames()
        }
    }

    /// Problem for all clients after the end of the session; nil before.
    package var closing: Problem? { state.withLock { $0.table.closing } }

    func fail(_ problem: Problem) { change { $0.table.fail(problem) } }

    /// Fails all clients because the camera is stopped, including those whose frame is being encoded.
    func failAll(_ problem: Problem) {
        change { state in
            state.stops = (state.stops.count + 1, problem)
            state.table.abandon(problem)
        }
    }

    /// Ends the session: fails all current and future clients.
    func close(_ problem: Problem) { change { $0.table.close(problem) } }

    /// Number of stop commands to the camera.
    package var stops: Int { state.withLock { $0.stops.count } }

    /// Problem of the last stop command; nil if the camera was not stopped since its stop count was `count`.
    package func stop(since count: Int) -> Problem? { state.withLock { $0.stop(since: count) } }
}

extension FrameDispatcher.State {
    func stop(since count: Int) -> Problem? { stops.count == count ? nil : stops.problem }

    /// Counts the outcome of an encoding; returns true for the first damaged frame after a minute without any.
    fileprivate mutating func conclude(_ finish: DemandTable.Finish) -> Bool {
        guard case .damaged(let isFirst) = finish else { return false }
        snapshot.counters.corrupt += 1
        return isFirst
    }
}
