// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeModel
internal import TintypeThreads

/// The side of clients.
extension FrameHub {
    /// Begins to take frames that are as wished, as many as planned; an encode is shared with all who want the same.
    ///
    /// The session has to be woken after this. Ends with ``FrameFeed/close(isGone:)``; `place` is held until then; a
    /// subscription, which is of the daemon itself, needs none.
    ///
    /// Where `stops` says how often the camera had been stopped by command, and it has been since, the answer is why: it
    /// must not be opened again for a client from before.
    func open(
        _ plan: Demand.Plan,
        _ wish: FrameWish,
        in place: WaitingRoom.Place?,
        ifStopped stops: Int? = nil
    ) -> FrameFeed {
        let id = change { state in
            let id = state.table.add(wish, plan, place: place)
            if let stops, let problem = state.stop(since: stops) {
                state.table.change(id) { $0.fail(problem) }
            }
            return id
        }
        return FrameFeed(hub: self, id: id)
    }

    func take(_ id: UInt64, orElse waiter: Reply<Bool>?) -> FrameFeed.Step? {
        state.withLock { $0.table.take(id, orElse: waiter) }
    }

    func demand(_ id: UInt64) -> Demand? { state.withLock { $0.table.demand(id) } }

    func end(_ id: UInt64) { change { state in state.table.change(id) { $0.end() } } }

    func close(_ id: UInt64, isGone: Bool) -> PassedFrames {
        change { $0.table.remove(id, isGone: isGone, now: .now()) }
    }

    /// A frame that needs no waiting: encoded already, and fresh enough.
    func ready(_ wish: FrameWish) -> Frame? {
        let slept = asleep()
        return state.withLock { $0.table.ready(wish, slept: slept, now: .now()) }
    }

    /// Whether anybody waits for a frame that has not been taken yet: what a closed device has to be opened for.
    var isAwaited: Bool { state.withLock { $0.table.isAwaited } }

    /// Whether anybody waits for a frame or for its encode, or examines the camera.
    var isInDemand: Bool { state.withLock { $0.watches > 0 || $0.table.isPending } }

    /// Keeps an open camera open until ``endWatch(isGone:)``; opens none, as those do who wait for a frame.
    func beginWatch() { state.withLock { $0.watches += 1 } }

    /// Ends what ``beginWatch()`` began.
    ///
    /// `isGone` says that the client has gone away: that is no use that a camera lingers for.
    func endWatch(isGone: Bool = false) {
        state.withLock { state in
            state.watches -= 1
            if !isGone { state.table.lastUse = .now() }
        }
    }

    /// Keeps an open camera open, and its stream from being interrupted, until ``endBurst(isGone:)``.
    func beginBurst() {
        state.withLock { state in
            state.bursts += 1
            state.watches += 1
        }
    }

    /// Ends what ``beginBurst()`` began.
    func endBurst(isGone: Bool) {
        state.withLock { $0.bursts -= 1 }
        endWatch(isGone: isGone)
    }

    /// When a client last had a frame, stopped waiting, or ended to hold the camera; ``never`` if none has.
    var lastUse: MonotonicTime { state.withLock { $0.table.lastUse } }

    /// Takes this moment as the end of a use: a camera that lingers stays open from here on.
    func recordUse() { state.withLock { $0.table.lastUse = .now() } }

    /// Forgets the last use: a camera that lingers has nothing to stay open for.
    func forgetUse() { state.withLock { $0.table.lastUse = Self.never } }
}
