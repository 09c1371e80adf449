// SPDX-License-Identifier: Apache-2.0
import Synchronization

@testable import TintypeCapture

extension FrameHub {
    /// How many clients wait for frames that have not come yet.
    var awaited: Int { state.withLock { state in state.table.demands.count { $0.isOpen } } }

    /// Whether so many renderings are on their way, and no client waits for another frame.
    func isRendering(_ count: Int) -> Bool { !isAwaited && state.withLock { $0.table.renderings.count == count } }

    /// Begins to take frames of a hub that holds none itself.
    func open(
        _ plan: Demand.Plan,
        _ wish: FrameWish,
        in place: WaitingRoom.Place?,
        ifStopped stops: Int? = nil
    ) -> FrameFeed {
        open(plan, wish, in: place, ifStopped: stops) { _, _ in }
    }
}
