// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeModel

/// Settling, as waiting clients see it.
extension FrameHub {
    /// A stream has given its first good frame, or its controls were changed: a client that wants settled frames waits
    /// again, until `end` where they wait no longer than settling may take.
    func beginSettling(stream: UInt64, until end: MonotonicTime) {
        state.withLock { $0.table.settling.begin(stream: stream, until: end) }
    }

    /// A frame was looked at that came at `moment`; those from `key` on are settled, if it is given.
    func recordLook(at moment: MonotonicTime, settledFrom key: FrameKey?, hasSeenChange: Bool) {
        state.withLock { $0.table.settling.record(at: moment, settledFrom: key, hasSeenChange: hasSeenChange) }
    }

    /// Whether exposure and white balance had settled at a frame; nil where that was not looked at.
    func isSettled(_ key: FrameKey) -> Bool? { state.withLock { $0.table.settling.isSettled(key) } }

    /// Whether a client waits for settling now.
    func isSettlingAwaited(at now: MonotonicTime) -> Bool { state.withLock { $0.table.isSettlingAwaited(at: now) } }

    /// Whether the next frame is worth a look.
    func wantsLook(at now: MonotonicTime) -> Bool { state.withLock { $0.table.wantsLook(at: now) } }

    /// When the next waiting client gives up on settling; nil if none will.
    func nextSettleLimit(after now: MonotonicTime) -> MonotonicTime? {
        state.withLock { $0.table.nextSettleLimit(after: now) }
    }
}
