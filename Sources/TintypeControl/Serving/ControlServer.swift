// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeModel

/// Serves the HTTP API on a Unix socket until it is told to stop.
///
/// Graceful shutdown stops accepting at once and gives requests in flight ``ServerLimits/grace``. Then each that has no
/// reply yet is answered `stopping`, every connection is closed within ``ServerLimits/parting``, and ``run()`` returns,
/// whether or not a handler does. A client that goes away cancels its handler's task.
package final class ControlServer: Service {
    private let listener: Mutex<ControlListener?>
    let path: String
    let limits: ServerLimits
    let logger: Logger
    let http: HTTPConnections
    private let onListening: @Sendable () async -> Void

    /// A server on `listener`, which it owns from now on.
    ///
    /// `version` is what `/healthz` tells. `onListening` is called once, when the socket listens and has its name: clients
    /// are served from then on.
    package init(
        listener: consuming sending ControlListener,
        cameras: any CameraService,
        frames: any FrameService,
        version: String,
        logger: Logger,
        limits: ServerLimits = ServerLimits(),
        onListening: @escaping @Sendable () async -> Void = {}
    ) {
        path = listener.path
        self.listener = Mutex(consume listener)
        self.limits = limits
        self.logger = logger
        self.onListening = onListening
        http = HTTPConnections(
            cameras: cameras,
            frames: frames,
            version: version,
            limits: limits,
            logger: logger
        )
    }

    /// Serves until graceful shutdown or cancellation; may be called once.
    ///
    /// Throws `internal` if the socket fails for good, or if it has run before.
    package func run() async throws {
        guard var listener = listener.withLock({ $0.take() }), let descriptor = listener.takeDescriptor() else {
            throw Problem(.internalError, "The server on \(path) has run already.", remedy: "Make another one.")
        }
        let connections = ConnectionTable(limits: limits, logger: logger)
        let server = try await listen(descriptor, connections)
        do {
            try listener.appear()
        } catch {
            try? await server.executeThenClose { _ in }
            throw error
        }
        await onListening()

        // Not structured: a handler that does not return must not keep the daemon from leaving, and a task group would
        // wait for it. Whatever still runs after the grace is left to the end of the process.
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let serving = Task {
            defer { end.finish() }
            try await serve(server)
        }
        let isStopping = Flag()
        await withTaskCancellationOrGracefulShutdownHandler {
            // Not the stream's own cancellation: graceful shutdown and cancellation end it the same way, with grace.
            await Self.uncancelled(ended)
        } onCancelOrGracefulShutdown: { [limits] in
            guard isStopping.raise() else { return }
            server.channel.close(promise: nil)
            connections.quiesce()
            let grace = TimeAmount(limits.grace)
            server.channel.eventLoop.scheduleTask(in: grace) { connections.leave() }
            server.channel.eventLoop.scheduleTask(in: grace + TimeAmount(limits.parting)) {
                connections.close()
                serving.cancel()
                end.finish()
            }
        }
        guard !isStopping.isRaised else { return }
        connections.close()
        try await serving.value
        throw Problem(
            .internalError,
            "The control socket \(path) was closed.",
            remedy: "Restart tintyped; see its log for the reason."
        )
    }

    private static func uncancelled(_ ended: AsyncStream<Void>) async {
        await Task { for await _ in ended {} }.value
    }

    private func serve(_ server: NIOAsyncChannel<HTTP1Channel.Value?, Never>) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            try await server.executeThenClose { inbound in
                for try await case let connection? in inbound {
                    group.addTask { await self.http.serve(connection) }
                }
            }
        }
    }
}
