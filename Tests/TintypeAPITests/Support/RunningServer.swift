// SPDX-License-Identifier: Apache-2.0
import Logging
import ServiceLifecycle
import TestSupport
import TintypeSystem

@testable import TintypeAPI

extension ServerLimits {
    /// The limits without timeouts, for tests that are not about time.
    func patient() -> ServerLimits {
        var limits = self
        (limits.idle, limits.body, limits.reply) = (.patience, .patience, .patience)
        return limits
    }
}

/// Runs a server on a socket in a temporary folder during `body`, then stops it.
func withServer(
    cameras: FakeCameras = FakeCameras(),
    frames: FakeFrames = FakeFrames(),
    events: FakeEvents = FakeEvents(),
    jobs: FakeJobs = FakeJobs(),
    access: AccessPolicy = AccessPolicy(AccessRules(nil)),
    clock: any MonotonicClock = .system,
    limits: ServerLimits = ServerLimits().patient(),
    logger: Logger = .quiet,
    tcp: TCPAddress? = nil,
    passed: [CInt] = [],
    _ body: (_ path: String, _ services: ServiceGroup) async throws -> Void
) async throws {
    try await withTemporaryFolder { folder in
        let path = folder + "/s"
        let (listening, feed) = AsyncStream.makeStream(of: Void.self)
        let server = ControlServer(
            listener: try ControlListener(path: path),
            tcp: tcp,
            passed: passed,
            services: .fakes(cameras, frames, events, jobs: jobs, access: access, clock: clock),
            logger: logger,
            limits: limits,
            onListening: { feed.finish() }
        )
        let services = ServiceGroup(
            configuration: .init(
                services: [.init(service: server, successTerminationBehavior: .gracefullyShutdownGroup)],
                logger: logger
            )
        )
        let running = Task { try await services.run() }
        for await _ in listening {}
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(path, services)) } catch { outcome = .failure(error) }
        await services.triggerGracefulShutdown()
        try await running.value
        try outcome.get()
    }
}
