// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeImaging
internal import TintypeModel
internal import TintypeThreads

extension FrameHub {
    /// Tells all who share a rendering that it cannot be made of this camera's pictures.
    ///
    /// The frame is not damaged: it counts as none that was passed over, others get it, and no further frame is tried.
    func refuse(_ order: Order, _ problem: Problem) {
        let demands = state.withLock { state in
            let demands = state.rendering.removeValue(forKey: order) ?? []
            state.ringOnly.remove(order)
            state.finishFeeds(order, .failure(.refused(problem)))
            for demand in demands { state.answeredSkips[demand.id] = demand.skipped }
            if !demands.isEmpty { state.lastUse = .now() }
            return demands
        }
        for demand in demands { demand.reply.resolve(.failure(problem)) }
    }
}
