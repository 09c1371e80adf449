// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import TintypeSystem

/// Where the first thread that comes by waits until it is let go.
final class Hold: Sendable {
    private let gate = Gate()
    private let isTaken = OnceFlag()

    /// Returns once a thread waits here.
    func isReached() async throws { try await eventually("a thread is held up") { isTaken.isRaised } }

    func pass() { if isTaken.raise() { gate.wait() } }

    func release() { gate.open() }
}
