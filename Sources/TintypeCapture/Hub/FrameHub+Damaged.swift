// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeModel

/// Frames that the driver calls damaged, and what is wrong with those that were passed over.
extension FrameHub {
    /// Whether anybody waits who takes a frame as it is.
    var takesDamaged: Bool {
        state.withLock { state in
            state.waiting.values.contains { $0.wish.rendition.integrity == .raw }
                || state.feeds.values.contains { $0.feed.isOpen && $0.demand.wish.rendition.integrity == .raw }
        }
    }

    /// Offers a frame that the driver calls damaged to clients that take it as it is.
    ///
    /// It is never the newest one that is held, and is never given later.
    ///
    /// - Returns: what has to be made of it now.
    func offerDamaged(_ stamp: FrameStamp, key: FrameKey) -> [Rendition] {
        state.withLock { state in
            var wanted: [Rendition] = []
            let now = MonotonicTime.now()
            for (id, demand) in state.waiting where demand.wish.rendition.integrity == .raw {
                let limit = state.snapshot.stallLimit
                guard state.serves(demand.wish) else { continue }
                guard demand.objection(to: stamp, key: key, now: now, stallLimit: limit) == nil else { continue }
                state.waiting[id] = nil
                let order = Order(key: key, rendition: demand.wish.rendition)
                if state.rendering[order] == nil { wanted.append(state.begin(order, stamp)) }
                state.rendering[order, default: []].append(demand)
            }
            if !state.feeds.isEmpty {
                state.feed(stamp, key: key, isNew: true, now: now, isDamaged: true, &wanted)
            }
            return wanted
        }
    }

    /// What was wrong with the frames that were looked at for a demand that has no answer yet.
    func faults(seenBy demand: FrameDemand) -> [PictureFault: Int] {
        state.withLock { state in
            if let waiting = state.waiting[demand.id] { return waiting.faults }
            return state.rendering.values.lazy.joined().first { $0.id == demand.id }?.faults ?? [:]
        }
    }
}
