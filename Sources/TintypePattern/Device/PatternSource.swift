// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice

/// What stands before a pattern camera, whether the camera is open or not: the signal that it receives.
///
/// Any thread.
package final class PatternSource: Sendable {
    private let changed = Atomic(false)

    /// A source as the specification begins with.
    package init() {}

    /// Whether the source has changed (``PatternSpec/Change``).
    var hasChanged: Bool { changed.load(ordering: .relaxed) }

    /// The source changes, for good.
    func change() { changed.store(true, ordering: .relaxed) }
}
