// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Settling, as waiting clients see it.
extension DemandTable {
    /// Whether a client waits for settling.
    func isSettlingAwaited(at now: MonotonicTime) -> Bool {
        demands.contains { $0.isOpen && settling.isAwaited(by: $0.wish, at: now) }
    }

    /// Whether the next frame is worth a look.
    func wantsLook(at now: MonotonicTime) -> Bool {
        guard settling.settledFrom == nil else { return false }
        return settling.looksLeft > 0 || isSettlingAwaited(at: now)
    }

    /// When the next waiting client gives up on settling; nil if none will.
    func nextSettleLimit(after now: MonotonicTime) -> MonotonicTime? {
        guard settling.settledFrom == nil else { return nil }
        var next: MonotonicTime?
        for demand in demands where demand.isOpen && demand.wish.settle == .auto {
            let limit = settling.limit(of: demand.wish)
            if limit > now, limit < next ?? MonotonicTime(nanoseconds: .max) { next = limit }
        }
        return next
    }
}
