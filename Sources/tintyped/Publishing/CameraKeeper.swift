// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeModel

/// Keeps a camera open while its frames are published consecutively, with a lease like that of a client.
///
/// A camera that is stopped by command stays closed until a client opens it again.
struct CameraKeeper: Sendable {
    /// Duration of the lease, which is renewed well before its end.
    private static let lease = Duration.seconds(60)
    /// Time from a failure to the next attempt.
    private static let pause = Duration.seconds(5)
    /// Polling interval while stopped by command.
    private static let glance = Duration.seconds(1)

    let session: CaptureSession
    /// Owner of the lease, one for each schedule.
    let owner: String
    /// Gets the reason why the camera is not open; nil if its state is enough.
    let publication: Publication?
    var renewal = Duration.seconds(20)
    /// True while others use the lease of the same owner, which is not released then.
    var isShared: @Sendable () -> Bool = { false }

    func run() async {
        while !Task.isCancelled { try? await session.clock.sleep(for: await renewLease()) }
    }

    /// Returns the time to the next call.
    private func renewLease() async -> Duration {
        let stops = session.stopCount
        guard !session.isStopped else { return Self.glance }
        do throws(Problem) {
            _ = try await session.hold(HoldRequest(owner: owner, duration: Self.lease), ifStopped: stops)
            return renewal
        } catch {
            if Task.isCancelled || session.stopCount != stops || error.code == .stopping { return Self.glance }
            publication?.troubled(error)
            return Self.pause
        }
    }

    func release() async { _ = try? await session.release(ReleaseRequest(owner: owner), unless: isShared) }
}
