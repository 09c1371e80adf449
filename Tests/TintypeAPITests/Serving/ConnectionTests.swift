// SPDX-License-Identifier: Apache-2.0
import Glibc
import NIOCore
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

@testable import TintypeAPI

struct ConnectionTests {
    @Test func `a request is made for the user of its connection`() async throws {
        let clients = Recorder<String?>()
        let cameras = FakeCameras(take: { _, _ in
            clients.add(RequestClient.current)
            return Samples.still()
        })
        try await withServer(cameras: cameras) { path, _ in
            let client = try await RawClient(path, sending: RawClient.still)
            #expect(await client.reply()?.status == 200)
        }
        #expect(clients.values == ["uid \(getuid())"])
    }

    @Test func `a disconnecting client cancels its handler`() async throws {
        let (calls, feed) = AsyncStream.makeStream(of: Void.self)
        let cameras = FakeCameras(take: { _, _ in
            feed.yield()
            await Gate().wait()
            feed.yield()
            return Samples.still()
        })
        try await withServer(cameras: cameras) { path, _ in
            var calls = calls.makeAsyncIterator()
            for _ in 0..<5 {
                let client = try await RawClient(path, sending: RawClient.still)
                _ = await calls.next(isolation: #isolation)
                try await client.close()
                // The gate is never opened: only cancellation ends the wait.
                _ = await calls.next(isolation: #isolation)
            }
        }
    }

    @Test func `a half-closed client is answered`() async throws {
        let (asked, release) = (Gate(), Gate())
        try await withServer(cameras: .slow(asked, release)) { path, _ in
            let client = try await RawClient(path, sending: RawClient.still)
            await asked.wait()
            try await client.closeSending()
            release.open()
            #expect(await client.reply()?.body == Samples.still().picture)
        }
    }

    @Test func `pipelined requests are answered in order`() async throws {
        try await withServer { path, _ in
            let client = try await RawClient(path)
            let requests = ["/healthz", "/nothing", "/v1/cameras", "/v1/cameras/pattern/still.jpg", "/healthz"]
            for _ in 0..<10 {
                try await client.send(requests.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
                for status in [200, 404, 200, 200, 200] { #expect(await client.reply()?.status == status) }
            }
        }
    }

    @Test(arguments: ["", "GET /healthz HTT", "GET /healthz HTTP/1.1\r\nHost: a\r\n"])
    func `a connection without a whole request is closed after the idle limit`(start: String) async throws {
        try await withServer(limits: ServerLimits(idle: .milliseconds(100))) { path, _ in
            let client = try await RawClient(path)
            // On a busy machine it may be closed before anything is sent.
            if !start.isEmpty { try? await client.send(start) }
            #expect(await client.rest() == [])
        }
    }

    @Test func `a request head sent byte by byte is cut off at the idle limit`() async throws {
        try await withServer(limits: ServerLimits(idle: .milliseconds(200))) { path, _ in
            let client = try await RawClient(path)
            await #expect(throws: (any Error).self) {
                try await client.send("GET /healthz HTTP/1.1\r\nA: ")
                while true {
                    try await client.send("a")
                    // One of these connections is on the same event loop: its reply proves that the byte was read.
                    for _ in 0..<(8 * System.coreCount) {
                        let other = try await RawClient(path)
                        _ = await other.get()
                        try? await other.close()
                    }
                }
            }
            #expect(await client.rest() == [])
        }
    }

    @Test func `a connection is closed when idle after a reply`() async throws {
        try await withServer(limits: ServerLimits(idle: .milliseconds(100))) { path, _ in
            let client = try await RawClient.served(path)
            #expect(await client.rest() == [])
        }
    }

    @Test func `a body that does not arrive in time gets 408`() async throws {
        try await withServer(limits: ServerLimits(body: .milliseconds(100))) { path, _ in
            let client = try await RawClient(path)
            try await client.send(
                "POST /v1/cameras/pattern/stills HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n{\"keep\":"
            )
            let reply = try #require(await client.reply())
            #expect(reply.status == 408)
            #expect(try reply.problem.code == .requestTimeout)
            #expect(await client.rest() == [])
        }
    }

    @Test(arguments: [(ServerLimits(body: .milliseconds(100)), 1), (ServerLimits(unreadBodyBytes: 100_000), 4000)])
    func `an unread body is limited in time and size after the reply`(_ limits: ServerLimits, _ bytes: Int) async throws
    {
        try await withServer(limits: limits) { path, _ in
            let (client, other) = (try await RawClient(path), try await RawClient(path))
            try await client.send("GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n")
            #expect(await client.reply()?.status == 200)
            let part = String(repeating: "a", count: bytes)
            // Each part extends the idle limit.
            await #expect(throws: (any Error).self) {
                while true {
                    try await client.send(part)
                    #expect(await other.get()?.status == 200)
                }
            }
        }
    }

    @Test func `a chunked body over the limit gets 413`() async throws {
        try await withServer(limits: ServerLimits(bodyBytes: 1000).patient()) { path, _ in
            let client = try await RawClient(path)
            let chunk = "400\r\n\(String(repeating: " ", count: 1024))\r\n"
            try await client.send(
                "POST /v1/cameras/pattern/stills HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)0\r\n\r\n"
            )
            let reply = try #require(await client.reply())
            #expect(reply.status == 413)
            #expect(try reply.problem.detail.contains("1000"))
        }
    }

    @Test func `a port on which systemd listens already is not opened a second time`() async throws {
        let passed = try PassedSockets(loopback: 0)
        let log = MessageLog()
        let tcp = TCPAddress(host: "127.0.0.1", port: try #require(passed.port))
        try await withServer(logger: log.logger, tcp: tcp, passed: passed.network) { path, _ in
            let client = try await RawClient(path)
            #expect(await client.get()?.status == 200)
        }
        #expect(log.warnings == ["tcp.port has no effect: systemd listens on \(tcp.port). Leave the key out."])
        let taken = try PassedSockets(loopback: 0)
        defer { close(taken.network[0]) }
        await #expect(throws: ListenerError.self) {
            try await withTemporaryFolder { folder in
                let tcp = TCPAddress(host: "127.0.0.1", port: try #require(taken.port))
                let server = ControlServer(
                    listener: try ControlListener(path: folder + "/s"),
                    tcp: tcp,
                    services: .fakes(),
                    logger: .quiet
                )
                try await server.run()
            }
        }
    }
}
