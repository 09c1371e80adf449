// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import ServiceLifecycle
internal import TintypeCapture

/// Ends all sessions when the daemon stops: every camera that answers is closed, and none is waited for for long.
struct SessionsService: Service {
    /// A camera that takes longer hangs in its driver, and its thread is left behind.
    static let timeLimit = Duration.milliseconds(150)

    let cameras: Cameras
    let logger: Logger

    func run() async throws {
        try? await gracefulShutdown()
        await withTaskGroup(of: Void.self) { group in
            for camera in cameras.all {
                group.addTask {
                    guard await !camera.session.end(within: Self.timeLimit) else { return }
                    logger.warning(
                        "stopping without closing the camera: its driver does not answer",
                        metadata: ["camera": "\(camera.name)"]
                    )
                }
            }
        }
    }
}
