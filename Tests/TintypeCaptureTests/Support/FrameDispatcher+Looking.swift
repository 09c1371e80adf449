// SPDX-License-Identifier: Apache-2.0
import Synchronization

@testable import TintypeCapture

extension FrameDispatcher {
    /// Number of clients waiting for a future frame.
    var awaited: Int { state.withLock { state in state.table.demands.count { $0.isOpen } } }

    /// True if `count` options are in progress and no client waits for another frame.
    func isRendering(_ count: Int) -> Bool { !isAwaited && state.withLock { $0.table.renderings.count == count } }

    /// Opens a feed of a dispatcher that holds no frame.
    func open(
        _ plan: Demand.Plan,
        _ wish: FrameWish,
        in place: RequestLimiter.Place?,
        ifStopped stops: Int? = nil
    ) -> FrameFeed {
        open(plan, wish, in: place, ifStopped: stops) { _, _ in }
    }
}
