// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Something that happens once; any thread may raise or read it.
final class Flag: Sendable {
    private let raised = Atomic(false)

    var isRaised: Bool { raised.load(ordering: .acquiring) }

    /// Raises it; true for the first call only.
    func raise() -> Bool { !raised.exchange(true, ordering: .acquiringAndReleasing) }
}
