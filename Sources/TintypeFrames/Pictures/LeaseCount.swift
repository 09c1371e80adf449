// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// How many buffers of the driver are with the encoder; the newest, which the session holds, is one more.
package final class LeaseCount: Sendable {
    private let count = Atomic<Int>(0)
    /// One that may still be encoded when the session holds a newer one (DESIGN, section 4).
    private static let limit = 1

    /// None yet.
    package init() {}

    /// Whether there is a place; one thread takes them, the others only give them back.
    package var hasRoom: Bool { count.load(ordering: .relaxed) < Self.limit }

    /// Takes a place; false if there is none.
    func take() -> Bool {
        guard count.add(1, ordering: .relaxed).newValue > Self.limit else { return true }
        count.subtract(1, ordering: .relaxed)
        return false
    }

    func giveBack() { count.subtract(1, ordering: .relaxed) }
}
