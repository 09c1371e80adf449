// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeDevice
package import TintypeModel

extension BurstOutput {
    /// Takes the frames of the ring that were exposed from `start` to `end`, each `nth`, as far as the ring reaches back,
    /// and hands each to `storing` in the order of their capture.
    ///
    /// `end` is not in the future. Suspends, never blocks. Throws where the camera has no ring, why it gives no frames any
    /// more, and what keeps the first from being stored.
    package func takePast(
        _ request: StillRequest,
        from start: MonotonicTime,
        to end: MonotonicTime,
        nth: Int,
        storing: @escaping Storing
    ) async throws(Problem) {
        guard let source = try RingStills(session, request, from: start, to: end, nth: nth) else { return }
        _ = try await collect(source, endsAtFailure: false, { _ in }, storing)
    }
}
