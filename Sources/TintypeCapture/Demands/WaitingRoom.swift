// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel

/// The places for clients that wait for frames of one camera.
///
/// A client that finds none is told so at once and may ask again: places go to the first to ask. Any thread; never
/// blocks.
package final class WaitingRoom: Sendable {
    /// Requests that may wait for frames of one camera at a time.
    package static let placesOfCamera = 256
    /// After this time it is worth asking again: no camera that runs keeps its places for as long.
    private static let retryDelay = Duration.seconds(1)

    private let name: String
    private let places: Int
    private let count = Mutex(0)

    /// The room of the camera `name`.
    package init(of name: String, places: Int = WaitingRoom.placesOfCamera) {
        self.name = name
        self.places = places
    }

    /// How many places are taken.
    package var taken: Int { count.withLock { $0 } }

    /// Takes a place, which is free again when the last copy of it is gone.
    ///
    /// Throws `too-many-requests` with the bound that is reached.
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

    /// One place.
    package final class Place: Sendable {
        private let room: WaitingRoom

        fileprivate init(room: WaitingRoom) { self.room = room }

        deinit { room.count.withLock { $0 -= 1 } }
    }
}
