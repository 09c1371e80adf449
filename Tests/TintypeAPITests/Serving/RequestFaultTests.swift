// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import TintypeAPI

/// Requests that violate HTTP/1.1 (RFC 9112) are errors of the client, never of the daemon.
struct RequestFaultTests {
    private static let stills = "POST /v1/cameras/pattern/stills HTTP/1.1\r\nHost: a\r\n"
    private static let chunked = stills + "Transfer-Encoding: chunked\r\n\r\n"

    @Test(arguments: [
        chunked + "2\r\n{}\r\nx\r\n", chunked + "2\r\n{}garbage\r\n0\r\n\r\n", chunked + "-1\r\n{}\r\n0\r\n\r\n",
        chunked + "ffffffffffffffffff\r\n{}", chunked + "2\r\n{", stills + "Content-Length: 20\r\n\r\n{}",
        stills + "Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        stills + "Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        stills + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        stills + "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        "POST /v1/cameras/pattern/stills HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        "GET /healthz HTTP/1.1\r\n\r\n", "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", "GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n",
        "GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}garbage\r\n\r\n", "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n", "\r\n\r\n\u{0}\u{0}\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nLong: \(String(repeating: "x", count: 100_000))\r\n\r\n",
    ])
    func `a malformed request gets one problem document and closes its connection`(bytes: String) async throws {
        try await withServer { path, _ in
            let client = try await RawClient(path)
            // A far too large request is refused before it is sent completely.
            try? await client.send(bytes)
            try? await client.closeSending()
            let reply = try #require(await client.reply())
            #expect(reply.status == 400, "\(reply)")
            #expect(reply.headers["connection"] == "close")
            #expect(reply.headers["content-type"] == "application/problem+json")
            #expect(try reply.problem.code == .invalidRequest)
            #expect(await client.rest() == [])
            let other = try await RawClient(path)
            #expect(await other.get()?.status == 200)
        }
    }

    @Test(arguments: [
        "GET /healthz HTTP/1.0\r\n\r\n", "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: foo, close\r\n\r\n",
        // SwiftNIO reads no further request of such a connection.
        "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n",
    ])
    func `a non-persistent connection is closed after its reply`(request: String) async throws {
        try await withServer { path, _ in
            let client = try await RawClient(path, sending: request)
            let reply = try #require(await client.reply())
            #expect(reply.status == 200 && reply.headers["connection"] == "close")
            #expect(await client.rest() == [])
        }
    }

    @Test func `CONNECT is refused, and its connection closed`() async throws {
        try await withServer { path, _ in
            let client = try await RawClient(path, sending: "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n")
            let reply = try #require(await client.reply())
            #expect((400..<500).contains(reply.status) && reply.headers["connection"] == "close")
            #expect(await client.rest() == [])
        }
    }

    @Test func `HTTP/1.0 with keep-alive, an empty Host and a Host with a port are accepted`() async throws {
        try await withServer { path, _ in
            let client = try await RawClient(path)
            for _ in 0..<2 {
                try await client.send("GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                let reply = try #require(await client.reply())
                #expect(reply.status == 200 && reply.headers["connection"] == "keep-alive")
            }
            for host in ["", "localhost:8080", "[::1]:80"] {
                try await client.send("GET /healthz HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                #expect(await client.reply()?.status == 200, "\(host)")
            }
        }
    }

    @Test(arguments: 0..<4) func `random requests never cause an internal error`(seed: Int) async throws {
        var noise = RequestNoise(seed: UInt64(seed))
        try await withServer(limits: ServerLimits(idle: .seconds(5), body: .seconds(5))) { path, _ in
            for number in 0..<250 {
                let bytes = noise.next()
                let client = try await RawClient(path)
                try? await client.send(bytes)
                try? await client.closeSending()
                let reply = String(decoding: await client.rest(), as: UTF8.self)
                let isFault = reply.contains("HTTP/1.1 500") || !(reply.isEmpty || reply.hasPrefix("HTTP/1.1 "))
                #expect(!isFault, "request \(number): \(String(decoding: bytes, as: UTF8.self))\n\(reply)")
            }
            _ = try await RawClient.served(path)
        }
    }
}
