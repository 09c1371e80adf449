// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TintypeModel

struct StreamReplyTests {
    private static let gone = Problem(.deviceLost, "It is gone.", remedy: "Plug it in.")

    private static func get(_ target: String = "/v1/cameras/pattern/stream.mjpg", version: String = "1.1") -> String {
        "GET \(target) HTTP/\(version)\r\nHost: a\r\n\r\n"
    }

    /// All bytes that the server sends after `request`, as Latin-1 text.
    private static func text(of request: String, _ path: String) async throws -> String {
        let client = try await RawClient(path, sending: request)
        return String(String.UnicodeScalarView(await client.rest().map { Unicode.Scalar($0) }))
    }

    /// Cameras with endless streams of pictures of one size, a counter of requested pictures and a signal of the first.
    private static func endless(_ bytes: Int) -> (cameras: FakeCameras, asked: Counter, first: AsyncStream<Void>) {
        let asked = Counter()
        let (first, feed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        let cameras = FakeCameras(watch: { _, _, _ in
            _ = asked.next()
            feed.yield()
            var picture = Samples.streamed
            picture.jpeg = [UInt8](repeating: 7, count: bytes)
            return picture
        })
        return (cameras, asked, first)
    }

    /// Keeps the server busy until it has sent all that it can to a client that reads nothing.
    ///
    /// The first picture has been requested by then.
    private static func keepBusy(_ path: String, _ first: AsyncStream<Void>) async throws {
        for await _ in first { break }
        let other = try await RawClient(path)
        for _ in 0..<200 {
            #expect(await other.get()?.status == 200)
        }
    }

    @Test(arguments: ["1.1", "1.0"])
    func `a stream is one multipart reply without chunks that closes the connection`(version: String) async throws {
        try await withServer { path, _ in
            let text = try await Self.text(of: Self.get(version: version), path)
            let parts = text.components(separatedBy: "--tintype-picture\r\n")
            #expect(parts.count == 4 && parts[3].isEmpty)
            let head = parts[0].lowercased()
            #expect(head.hasPrefix("http/1.0 200 ok\r\n"))
            #expect(head.contains("content-type: multipart/x-mixed-replace; boundary=tintype-picture\r\n"))
            #expect(head.contains("connection: close\r\n"))
            #expect(!head.contains("transfer-encoding") && !head.contains("content-length"))
            let header = """
                Content-Type: image/jpeg\r
                Content-Length: 4\r
                X-Timestamp: 784112377.250000\r
                Tintype-Captured-At: 1994-11-06T08:59:37.250000Z\r
                Tintype-Age-Ms: 12.5\r
                Tintype-Sequence: 7\r
                \r

                """
            #expect(parts[1] == header + "\u{FF}\u{D8}\u{FF}\u{D9}\r\n" && parts[2] == parts[1])
        }
    }

    @Test func `the advance header contains only the media type`() async throws {
        try await withServer { path, _ in
            let text = try await Self.text(of: Self.get("/v1/cameras/pattern/stream.mjpg?advanceHeaders=true"), path)
            let parts = text.components(separatedBy: "--tintype-picture\r\nContent-Type: image/jpeg\r\n\r\n")
            #expect(parts.count == 4 && parts[3].isEmpty)
            #expect(parts[1] == "\u{FF}\u{D8}\u{FF}\u{D9}\r\n" && parts[2] == parts[1])
        }
    }

    /// Chromium shows a picture only once it has the header of the next part.
    @Test(arguments: [
        ("/v1/cameras/pattern/stream.mjpg", "?advanceHeaders=false"),
        ("/?action=stream&camera=pattern", "&advance_headers=0"), ("/stream?camera=pattern", "&advance_headers=0"),
    ])
    func `a browser gets the header of the next part with each picture`(target: String, off: String) async throws {
        let next = "\u{FF}\u{D8}\u{FF}\u{D9}\r\n--tintype-picture\r\nContent-Type: image/jpeg\r\n\r\n"
        let browser = "Host: a\r\nUser-Agent: Mozilla/5.0\r\nSec-Fetch-Site: none\r\n"
        try await withServer { path, _ in
            for (target, fields, count) in [
                (target, browser, 2), (target, "Host: a\r\n", 0), (target + off, browser, 0),
            ] {
                let request = Self.get(target).replacing("Host: a\r\n", with: fields)
                let text = try await Self.text(of: request, path)
                #expect(text.components(separatedBy: next).count - 1 == count, "\(request)")
            }
        }
    }

    @Test func `a placeholder frame has a header field with its reason`() async throws {
        let cameras = FakeCameras(watch: { (request, _, number) throws(Problem) in
            guard number == 0, request.placeholder else { throw Self.gone }
            var picture = Samples.streamed
            (picture.sequence, picture.placeholder) = (nil, .deviceLost)
            return picture
        })
        try await withServer(cameras: cameras) { path, _ in
            let text = try await Self.text(of: Self.get("/v1/cameras/pattern/stream.mjpg?placeholder=true"), path)
            #expect(text.contains("\r\nTintype-Placeholder: device-lost\r\n") && !text.contains("Tintype-Sequence"))
        }
    }

    @Test(arguments: ["/v1/cameras/pattern/stream.mjpg", "/?action=stream&camera=pattern", "/stream?camera=pattern"])
    func `a camera without a picture replies with a problem instead of a stream`(target: String) async throws {
        let cameras = FakeCameras(watch: { (_, _, _) throws(Problem) in throw Self.gone })
        try await withServer(cameras: cameras) { path, _ in
            let client = try await RawClient(path)
            for _ in 0..<2 {
                try await client.send(Self.get(target))
                let reply = try #require(await client.reply())
                #expect(reply.status == 503)
                #expect(try reply.problem.code == .deviceLost)
            }
        }
    }

    @Test(arguments: [8_000, 200_000, 8_000_000])
    func `the next picture is requested once the client has read most of the last`(bytes: Int) async throws {
        let (cameras, asked, first) = Self.endless(bytes)
        try await withServer(cameras: cameras) { path, _ in
            let client = try await RawClient(path, sending: Self.get(), reads: false)
            try await Self.keepBusy(path, first)
            #expect((1...5).contains(asked.next()))
            try await client.close()
        }
    }

    @Test func `a client that keeps reading receives picture after picture`() async throws {
        let (cameras, asked, _) = Self.endless(8_000)
        try await withServer(cameras: cameras) { path, _ in
            let client = try await RawClient(path, sending: Self.get())
            var seen = 0
            while seen < 10_000_000 {
                let more = try #require(await client.more())
                seen += more
            }
            #expect(asked.next() > 1000)
            try await client.close()
        }
    }

    @Test func `a reply without a length is not chunked for HTTP/1.0`() async throws {
        try await withServer { path, _ in
            let client = try await RawClient(path)
            let body = #"{"count": 2}"#
            try await client.send(
                "POST /v1/cameras/pattern/stills HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n"
                    + "Accept: \(StillList.linesMediaType)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
            let text = String(decoding: await client.rest(), as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.0 200 OK\r\n") && !text.lowercased().contains("transfer-encoding"))
            let lines = text.components(separatedBy: "\r\n\r\n").last?.split(separator: "\n") ?? []
            #expect(lines.count == 2)
            for line in lines { _ = try WireFormat.decode(StillList.self, from: Array(line.utf8)) }
        }
    }
}
