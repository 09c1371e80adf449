// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import NIOPosix
import ServiceLifecycle
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

@testable import TintypeAPI

struct ShutdownTests {
    /// Longer than any run: a test that waits for its end hangs.
    private static let long = Duration.seconds(86_400)

    @Test func `a request in flight is answered after the server stops accepting`() async throws {
        let (asked, release) = (Gate(), Gate())
        let cameras = FakeCameras.slow(asked, release)
        try await withServer(cameras: cameras, limits: ServerLimits(grace: Self.long).patient()) { path, services in
            let client = try await RawClient(path, sending: RawClient.still)
            await asked.wait()
            await services.triggerGracefulShutdown()
            while let other = try? await RawClient(path) { try? await other.close() }
            release.open()
            let reply = await client.reply()
            #expect(reply?.status == 200)
            #expect(await client.rest() == [])
        }
    }

    @Test func `a hung handler does not block the shutdown`() async throws {
        let (asked, release) = (Gate(), Gate())
        try await withServer(cameras: .slow(asked, release, isDeaf: true)) { path, _ in
            _ = try await RawClient(path, sending: RawClient.still)
            await asked.wait()
        }
        // Releases the handler only after the server has ended.
        release.open()
    }

    @Test(arguments: ["GET", "HEAD"])
    func `a request without a reply at the end of the grace period gets 503`(method: String) async throws {
        let release = Gate()
        let asked = AsyncStream.makeStream(of: Void.self)
        let cameras = FakeCameras(take: { _, _ in
            asked.continuation.yield()
            await Task { await release.wait() }.value
            return Samples.still()
        })
        try await withServer(cameras: cameras, limits: ServerLimits(parting: Self.long).patient()) { path, services in
            // The server waits for its handlers as long as the last replies may take.
            defer { release.open() }
            var clients: [RawClient] = []
            var askings = asked.stream.makeAsyncIterator()
            for _ in 0..<5 {
                let client = try await RawClient(path)
                // The second request is not handled before the first is answered.
                try await client.send(RawClient.still.replacing("GET", with: method) + RawClient.still)
                _ = await askings.next(isolation: #isolation)
                clients.append(client)
            }
            await services.triggerGracefulShutdown()
            for client in clients {
                let reply = try #require(await client.reply(toHead: method == "HEAD"))
                #expect(reply.status == 503)
                #expect(reply.headers["connection"] == "close" && reply.headers["retry-after"] == "1")
                if method == "GET" { #expect(try reply.problem.code == .stopping) }
                #expect(await client.rest() == [])
            }
        }
    }

    @Test func `a client connected before shutdown gets one reply`() async throws {
        try await withServer(limits: ServerLimits(grace: Self.long).patient()) { path, services in
            let client = try await RawClient(path)
            // Served once a later client on its event loop gets a reply. One of these clients is on that loop.
            var others: [RawClient] = []
            for _ in 0..<(8 * System.coreCount) {
                let other = try await RawClient(path)
                #expect(await other.get()?.status == 200)
                others.append(other)
            }
            await services.triggerGracefulShutdown()
            for other in others { #expect(await other.rest() == []) }
            #expect(await client.get()?.status == 200)
            #expect(await client.rest() == [])
        }
    }

    @Test func `the shutdown does not wait for idle connections`() async throws {
        var socket = ""
        // An idle connection that is given the grace period would block the run.
        try await withServer(limits: ServerLimits(grace: Self.long).patient()) { path, _ in
            socket = path
            let client = try await RawClient(path)
            #expect(await client.get()?.status == 200)
            #expect(FileManager.default.fileExists(atPath: path))
        }
        #expect(!FileManager.default.fileExists(atPath: socket))
    }

    @Test func `a connection dropped before it is served is closed`() async {
        // In its own process: SwiftNIO traps if the connection is dropped without being closed.
        await #expect(processExitsWith: .success) {
            let connections = HTTPConnections(.fakes(), limits: ServerLimits().patient(), logger: .quiet)
            try await withTemporaryFolder { folder in
                _ = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .childChannelInitializer { connections.setUp($0, of: .starter).map { _ in } }
                    .bind(unixDomainSocketPath: folder + "/s").get()
                #expect(try await RawClient(folder + "/s").rest() == [])
            }
        }
    }
}
