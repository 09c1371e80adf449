// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// One-shot flag, safe to use from any thread.
package final class OnceFlag: Sendable {
    private let raised = Atomic(false)

    package init() {}

    package var isRaised: Bool { raised.load(ordering: .acquiring) }

    /// Raises the flag; true for the first call only.
    @discardableResult
    package func raise() -> Bool { !raised.exchange(true, ordering: .acquiringAndReleasing) }
}
