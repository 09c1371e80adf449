// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeAPI

/// Files with ranges (RFC 9110, 14), from memory and from a disk.
struct FileReplyTests {
    private static let path = "/v1/frames/\(Samples.id)/image"
    private static let request = "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let tag = "\"\(Samples.id)\""

    private static let pattern = (0..<Case.size).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    private static func bytes(_ range: Range<Int>) -> [UInt8] {
        range.upperBound > Case.size ? Array(repeating: 7, count: range.count) : Array(pattern[range])
    }

    /// A film of so many bytes that is read in parts; `reading` is called before each.
    private static func film(
        _ count: Int,
        reading: @escaping @Sendable (Range<Int>) throws(Problem) -> Void = { _ in }
    ) -> FakeFrames {
        var frames = FakeFrames()
        frames.file = StoredFile(mediaType: "video/mp4", bytes: count) { range throws(Problem) in
            try reading(range)
            return bytes(range)
        }
        return frames
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let field: String
        /// Nil for the whole file; empty for 416.
        let range: Range<Int>?

        var testDescription: String { field }

        static let size = 700_000
        static let all = [
            Case(field: "bytes=0-0", range: 0..<1), Case(field: "bytes=0-", range: 0..<size),
            Case(field: "bytes=100-499", range: 100..<500),
            Case(field: "bytes=262144-524287", range: 262_144..<524_288),
            Case(field: "bytes=1-699999", range: 1..<size), Case(field: "bytes=1-700000", range: 1..<size),
            Case(field: "bytes=699999-", range: 699_999..<size), Case(field: "bytes=-1", range: 699_999..<size),
            Case(field: "bytes=-500000", range: 200_000..<size), Case(field: "bytes=-700001", range: 0..<size),
            Case(field: "Bytes= 5-9 ", range: 5..<10),
            Case(field: "bytes=9-99999999999999999999", range: 9..<size),
            Case(field: "bytes=700000-", range: size..<size), Case(field: "bytes=700000-700001", range: size..<size),
            Case(field: "bytes=99999999999999999999-", range: size..<size), Case(field: "bytes=-0", range: size..<size),
            Case(field: "bytes=9-5", range: nil), Case(field: "bytes=-", range: nil), Case(field: "bytes=", range: nil),
            Case(field: "bytes=0-1,5-6", range: nil), Case(field: "bytes=0-1-2", range: nil),
            Case(field: "bytes=a-b", range: nil), Case(field: "bytes=+1-2", range: nil),
            Case(field: "frames=0-1", range: nil), Case(field: "0-1", range: nil),
        ]
    }

    @Test(arguments: Case.all, [true, false])
    func `a range of a file is served, and any other field is ignored`(sample: Case, isInMemory: Bool) async throws {
        var frames = Self.film(Case.size)
        if isInMemory { frames.file = StoredFile(mediaType: "video/mp4", Self.bytes(0..<Case.size)) }
        try await withAPI(.socket, frames: frames) { api in
            let reply = try await api("GET \(Self.path)", headers: ["Range": sample.field])
            let range = sample.range ?? 0..<Case.size
            let content = range.isEmpty ? "*" : "\(range.lowerBound)-\(range.upperBound - 1)"
            #expect(reply.status == (range.isEmpty ? 416 : sample.range == nil ? 200 : 206))
            #expect(reply.body == Self.bytes(range))
            #expect(reply.headers["content-range"] == sample.range.map { _ in "bytes \(content)/\(Case.size)" })
            #expect(reply.headers["content-length"] == "\(range.count)")
            guard !range.isEmpty else {
                #expect(reply.headers["cache-control"] == "no-store")
                return
            }
            #expect(reply.headers["content-type"] == "video/mp4" && reply.headers["accept-ranges"] == "bytes")
            #expect(reply.headers["etag"] == Self.tag)
            #expect(reply.headers["cache-control"] == "private, max-age=31536000, immutable")
        }
    }

    @Test(arguments: ["W/\(tag)", "\"other\"", "Sun, 06 Nov 1994 08:49:37 GMT", ""])
    func `a range of another file than that of If-Range is ignored`(condition: String) async throws {
        try await withAPI(.router, frames: Self.film(1000)) { api in
            let range = ["Range": "bytes=0-4"]
            let same = try await api("GET \(Self.path)", headers: range.merging(["If-Range": Self.tag]) { $1 })
            #expect(same.status == 206 && same.body == Self.bytes(0..<5))
            let other = try await api("GET \(Self.path)", headers: range.merging(["If-Range": condition]) { $1 })
            #expect(other.status == 200 && other.body == Self.bytes(0..<1000))
        }
    }

    @Test(arguments: Transport.allCases)
    func `HEAD and a matching If-None-Match read nothing of a file`(transport: Transport) async throws {
        let reads = Recorder<Range<Int>>()
        try await withAPI(transport, frames: Self.film(1 << 40) { range throws(Problem) in reads.add(range) }) { api in
            // Range is defined for GET only (RFC 9110, 14.2).
            for headers in [[:], ["Range": "bytes=0-4"]] {
                let reply = try await api("HEAD \(Self.path)", headers: headers)
                #expect(reply.status == 200 && reply.headers["content-length"] == "\(1 << 40)")
                #expect(reply.headers["accept-ranges"] == "bytes" && reply.headers["content-range"] == nil)
            }
            let known = try await api("GET \(Self.path)", headers: ["If-None-Match": Self.tag, "Range": "bytes=0-4"])
            #expect(known.status == 304)
        }
        #expect(reads.values == [])
    }

    @Test func `a file is read no further than its client reads`() async throws {
        let (size, reads) = (64 * StoredFile.part, Recorder<Range<Int>>())
        try await withServer(frames: Self.film(size) { range throws(Problem) in reads.add(range) }) { path, _ in
            let client = try await RawClient(path, sending: Self.request, reads: false)
            var received = 0
            while received < size, let bytes = await client.read() {
                received += bytes.count
                let read = reads.values.last?.upperBound ?? 0
                // The socket has up to 200 kB, the connection one part, and the next is ready.
                #expect(read - received <= 4 * StoredFile.part)
            }
            #expect(reads.values.count == 64 && reads.values.allSatisfy { $0.count == StoredFile.part })
        }
    }

    @Test func `an error while a file is read closes its connection`() async throws {
        let gone = Problem(.frameNotFound, "It was deleted.", remedy: "Use another.")
        let frames = Self.film(10 * StoredFile.part) { range throws(Problem) in
            if range.lowerBound >= 3 * StoredFile.part { throw gone }
        }
        try await withServer(frames: frames) { path, _ in
            let client = try await RawClient(path, sending: Self.request)
            let bytes = await client.rest()
            let text = String(decoding: bytes.prefix(1000), as: UTF8.self)
            #expect(text.hasPrefix("HTTP/1.1 200 ") && text.lowercased().contains("content-length: 2621440\r\n"))
            #expect(bytes.count < 4 * StoredFile.part)
            #expect(try await RawClient.served(path).get()?.status == 200)
        }
    }

    @Test func `a film counts with one part in the limit of unread replies`() async throws {
        var limits = ServerLimits().patient()
        limits.unreadReplyBytes = 64 * StoredFile.part
        try await withServer(frames: Self.film(1 << 40), limits: limits) { path, _ in
            var clients: [RawClient] = []
            for _ in 0..<3 {
                let client = try await RawClient(path, sending: Self.request, reads: false)
                let reply = try #require(await client.read())
                // After the first, one that counts with its size would be refused.
                #expect(String(decoding: reply.prefix(13), as: UTF8.self) == "HTTP/1.1 200 ")
                clients.append(client)
            }
            for client in clients { try await client.close() }
        }
    }
}
