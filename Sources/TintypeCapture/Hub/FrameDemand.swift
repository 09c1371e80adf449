// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeModel
internal import TintypeThreads

/// A client that waits for one frame.
struct FrameDemand: Sendable {
    let id: UInt64
    let wish: FrameWish
    let reply: Reply<Frame>
    /// Its place among waiting clients; nil where no client waits.
    var place: WaitingRoom.Place?
    /// The newest buffer that had been taken when the driver's queue was first seen empty after the request.
    var admission: FrameKey?
    /// Frames passed over since the request, by reason.
    var skipped: [SkipReason: Int] = [:]
    /// What was wrong with those that turned out to be damaged.
    var faults: [PictureFault: Int] = [:]
    /// The newest frame that came after the request and was held back because it was not known to be settled.
    var heldBack: FrameKey?
    /// When a frame was first held back for that alone.
    var heldBackSince: MonotonicTime?

    /// Why a frame does not do for this demand; nil if it does.
    ///
    /// - Parameters:
    ///   - stamp: the frame's stamp.
    ///   - key: its name.
    ///   - now: the present moment.
    ///   - stallLimit: the age at which a frame is not `latest` any more.
    /// - Returns: under which name it is counted as passed over.
    func objection(to stamp: FrameStamp, key: FrameKey, now: MonotonicTime, stallLimit: Duration) -> SkipReason? {
        // The buffer that a stream begins with may hold anything, however long ago it was written.
        if stamp.source == .dequeue, key.ordinal <= 1 { return .undated }
        if let after = wish.after, key <= after { return .stale }
        let requestedAt = wish.requestedAt
        switch wish.fresh {
        case .next: return stamp.dequeued >= requestedAt ? nil : .stale
        // What the ring does not have, no frame to come has.
        case .at: return .stale
        case .latest: return now - stamp.exposureStart <= stallLimit ? nil : .stale
        case .maxAge(let age):
            return stamp.earliestExposure >= requestedAt - age ? nil : .stale
        case .request:
            guard stamp.source == .dequeue else { return stamp.earliestExposure >= requestedAt ? nil : .stale }
            // The first buffer after the queue was seen empty may have begun before the request; the second did not.
            guard let admission else { return .undated }
            if key.stream == admission.stream { return key.ordinal >= admission.ordinal + 2 ? nil : .undated }
            return nil
        }
    }
}
