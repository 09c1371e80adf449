// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeFrames
package import TintypeModel

/// The places for clients that wait for frames of one camera, or of all.
///
/// A client that finds none is told so at once and may ask again: places go to the first to ask. Any thread; never
/// blocks.
package final class WaitingRoom: Sendable {
    /// Requests that may wait for frames of one camera at a time.
    package static let placesOfCamera = 256
    /// Requests that may wait at a time in all, those on the ``own`` places of their cameras left out.
    package static let placesInAll = 1024
    /// As many requests find a place at their camera however many wait for others: a camera that gives no frames takes
    /// no place from one that does.
    package static let own = 16
    /// After this time it is worth asking again: no camera that runs keeps its places for as long.
    private static let retryDelay = Duration.seconds(1)

    private let name: String
    private let places: Int
    private let whole: WaitingRoom?
    private let count = Mutex(0)

    /// The room of all cameras.
    package init(places: Int = WaitingRoom.placesInAll) {
        name = ""
        self.places = places
        whole = nil
    }

    /// The room of the camera `name`, within that of all.
    package init(of name: String, places: Int = WaitingRoom.placesOfCamera, within whole: WaitingRoom) {
        self.name = name
        self.places = places
        self.whole = whole
    }

    /// How many places are taken; in the room of all cameras, beyond their own.
    package var taken: Int { count.withLock { $0 } }

    /// Takes a place, which is free again when the last copy of it is gone.
    ///
    /// Throws `too-many-requests` with the bound that is reached.
    package func enter() throws(Problem) -> Place {
        if let bound = take() { throw bound }
        return Place(room: self)
    }

    /// Takes a place, here and, beyond the camera's own, in the room of all; the bound that is in the way, if one is.
    private func take() -> Problem? {
        count.withLock { count in
            guard count < places else { return full }
            if count >= Self.own, let refusal = whole?.take() { return refusal }
            count += 1
            return nil
        }
    }

    private func giveBack() {
        count.withLock { count in
            if count > Self.own { whole?.giveBack() }
            count -= 1
        }
    }

    private var full: Problem {
        let whose = whole == nil ? "frames of all cameras" : "a frame of the camera \(name)"
        return Problem(
            .tooManyRequests,
            "\(places) requests wait for \(whose) already, and more may not.",
            remedy: "Ask again in a while; let many who want the same picture ask one that passes it on.",
            retryAfter: Self.retryDelay
        )
    }

    /// One place.
    package final class Place: Sendable {
        private let room: WaitingRoom

        fileprivate init(room: WaitingRoom) { self.room = room }

        deinit { room.giveBack() }
    }
}
