// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeDevice
package import TintypeModel

/// What one picture goes by: the same for all who share it, but for copies in the spool, where each has an id of its
/// own.
///
/// So a client that asks for the newest picture twice is told by the id whether it has it already. Any thread; never
/// blocks.
package final class FrameName: Sendable {
    /// The id of every reply that does not store the picture, and of the first copy that is stored.
    package let id: FrameID
    /// When its exposure began, by the wall clock as it was when the name was given.
    package let capturedAt: Timestamp
    private let isTaken = Atomic(false)

    /// A name for a picture of the frame with this stamp.
    package init(of stamp: FrameStamp) {
        capturedAt = Timestamp(stamp.exposureStart)
        id = FrameID(at: capturedAt)
    }

    /// The id of a copy that is about to be stored: ``id`` for the first, a new one for each further.
    package func takeID() -> FrameID {
        isTaken.exchange(true, ordering: .relaxed) ? FrameID(at: capturedAt) : id
    }
}
