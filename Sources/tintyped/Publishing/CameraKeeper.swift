// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeModel

/// Keeps a camera open while its frames are published one after the other, by a lease like that of a client.
///
/// `tintype status` shows who holds it. A camera that is stopped by command is left alone until a client opens it
/// again.
struct CameraKeeper: Sendable {
    /// A lease is extended long before it ends.
    private static let lease = Duration.seconds(60)
    /// After a failure it is tried again.
    private static let pause = Duration.seconds(5)
    /// A camera that was stopped is looked at this often.
    private static let glance = Duration.seconds(1)

    let session: CaptureSession
    /// The owner of the lease, another for each schedule.
    let owner: String
    /// What is told why the camera is not open; nil where only its state tells that.
    let publication: Publication?
    /// How often the lease is extended.
    var renewal = Duration.seconds(20)

    /// Holds the camera until the task is cancelled, and lets go of it then.
    func run() async {
        while !Task.isCancelled {
            let stops = session.stopCount
            guard !session.isStopped else {
                try? await session.clock.sleep(for: Self.glance)
                continue
            }
            do throws(Problem) {
                _ = try await session.hold(HoldRequest(owner: owner, duration: Self.lease), ifStopped: stops)
                try? await session.clock.sleep(for: renewal)
            } catch {
                guard !Task.isCancelled else { break }
                if session.stopCount != stops || error.code == .stopping {
                    try? await session.clock.sleep(for: Self.glance)
                    continue
                }
                publication?.troubled(error)
                try? await session.clock.sleep(for: Self.pause)
            }
        }
    }

    /// Lets go of the camera; one that is not held is no failure.
    func release() async { _ = try? await session.release(ReleaseRequest(owner: owner)) }
}
