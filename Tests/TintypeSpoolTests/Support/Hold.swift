// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import TintypeSystem

/// A point that holds the first thread to pass until it is released.
final class Hold: Sendable {
    private let gate = Gate()
    private let isTaken = OnceFlag()

    /// Returns once a thread is held.
    func isReached() async throws { try await eventually("a thread is held up") { isTaken.isRaised } }

    func pass() { if isTaken.raise() { gate.wait() } }

    func release() { gate.open() }
}
