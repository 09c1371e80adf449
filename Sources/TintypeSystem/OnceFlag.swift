// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Something that happens once; any thread may raise or read it.
package final class OnceFlag: Sendable {
    private let raised = Atomic(false)

    /// One that is not raised.
    package init() {}

    package var isRaised: Bool { raised.load(ordering: .acquiring) }

    /// Raises it; true for the first call only.
    @discardableResult
    package func raise() -> Bool { !raised.exchange(true, ordering: .acquiringAndReleasing) }
}
