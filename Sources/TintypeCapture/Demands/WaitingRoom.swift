// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel

/// Limits the number of clients that wait for frames of one camera: there is no queue, a client without a free place is
/// rejected at once and may retry; any thread, never blocks.
package final class WaitingRoom: Sendable {
    package static let placesOfCamera = 256
    /// Suggested retry delay: a running camera frees places sooner.
    private static let retryDelay = Duration.seconds(1)

    private let name: String
    private let places: Int
    private let count = Mutex(0)

    package init(of name: String, places: Int = WaitingRoom.placesOfCamera) {
        self.name = name
        self.places = places
    }

    package var taken: Int { count.withLock { $0 } }

    /// Occupies a place until the last reference to it is released; throws `too-many-requests` with the limit.
    package func enter() throws(Problem) -> Place {
        let isFull = count.withLock { count in
            guard count < places else { return true }
            count += 1
            return false
        }
        if isFull {
            throw Problem(
                .tooManyRequests,
                "\(places) requests wait for a frame of the camera \(name) already, and more may not.",
                remedy: "Ask again in a while; let many who want the same picture ask one that passes it on.",
                retryAfter: Self.retryDelay
            )
        }
        return Place(room: self)
    }

    /// An occupied place, freed by deinitialisation.
    package final class Place: Sendable {
        private let room: WaitingRoom

        fileprivate init(room: WaitingRoom) { self.room = room }

        deinit { room.count.withLock { $0 -= 1 } }
    }
}
