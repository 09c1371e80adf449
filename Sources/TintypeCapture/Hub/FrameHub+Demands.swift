// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeModel
internal import TintypeThreads

/// The side of waiting clients.
extension FrameHub {
    /// Begins to wait for a frame.
    ///
    /// The session has to be rung after this. At a closed hub, and where as many wait already as may, the answer is
    /// there at once. A client that waits for one frame after the other holds a place that is used for each; nil takes
    /// one.
    func demand(_ wish: FrameWish, in place: WaitingRoom.Place? = nil) -> FrameDemand {
        let place = Result { () throws(Problem) in
            if let place { return place }
            return try room.enter()
        }
        let (demand, refusal) = state.withLock { state -> (FrameDemand, Problem?) in
            var demand = FrameDemand(id: state.nextID, wish: wish, reply: Reply())
            state.nextID += 1
            if let closing = state.closing { return (demand, closing) }
            switch place {
            case .success(let place): demand.place = place
            case .failure(let problem): return (demand, problem)
            }
            state.waiting[demand.id] = demand
            return (demand, nil)
        }
        if let refusal { demand.reply.resolve(.failure(refusal)) }
        return demand
    }

    /// A frame that needs no waiting: encoded already, and fresh enough.
    func ready(_ wish: FrameWish) -> Frame? {
        let slept = asleep()
        return state.withLock { state in
            // A clock that stood still during a suspend cannot tell how old a frame from before it is.
            guard slept - state.newestSlept <= Self.nap else { return nil }
            guard state.serves(wish), let key = state.newestKey,
                let frame = state.rendered[Order(key: key, rendition: wish.rendition)]
            else { return nil }
            let demand = FrameDemand(id: 0, wish: wish, reply: Reply())
            let limit = state.snapshot.stallLimit
            guard demand.objection(to: frame.stamp, key: key, now: .now(), stallLimit: limit) == nil else {
                return nil
            }
            guard state.settling.isGoodEnough(key, for: wish, at: .now()) else { return nil }
            state.noteInterest(in: key, wish)
            state.lastUse = .now()
            return frame
        }
    }

    /// Ends a demand, answered or not, and returns what was passed over for it.
    ///
    /// `isGone` says that the client has gone away: a camera that was opened for no other client closes then.
    func withdraw(_ demand: FrameDemand, isGone: Bool = false) -> [SkipReason: Int] {
        state.withLock { state in
            if !isGone { state.lastUse = .now() }
            state.settleTimes[demand.id] = nil
            if let waiting = state.waiting.removeValue(forKey: demand.id) { return waiting.skipped }
            for (order, demands) in state.rendering {
                guard let index = demands.firstIndex(where: { $0.id == demand.id }) else { continue }
                // The encode goes on; its result reaches the other clients, or none.
                defer { state.endUnwanted(order) }
                return state.rendering[order]?.remove(at: index).skipped ?? [:]
            }
            return state.answeredSkips.removeValue(forKey: demand.id) ?? [:]
        }
    }
}
