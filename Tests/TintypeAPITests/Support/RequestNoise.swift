// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// Valid requests with random mutations, reproducible by seed.
struct RequestNoise {
    private var generator: SeededGenerator

    private static let requests = [
        "GET /v1/cameras/pattern/still.jpg?fresh=next&quality=80 HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"x\"\r\n\r\n",
        "HEAD /healthz HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n",
        "POST /v1/cameras/pattern/stills HTTP/1.1\r\nHost: a\r\nContent-Length: 24\r\n\r\n{\"keep\":true,\"count\": 2}",
        "POST /v1/cameras/pattern/hold HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "8\r\n{\"owner\"\r\n12\r\n:\"ann\",\"forMs\":10}\r\n0\r\n\r\n",
        "PATCH /v1/cameras/pattern/controls HTTP/1.1\r\nHost: a\r\nContent-Length: 17\r\n\r\n{\"brightness\": 1}",
        "PUT /v1/cameras/pattern/configuration HTTP/1.1\r\nHost: a\r\nIf-Match: \"7\"\r\nContent-Length: 2\r\n\r\n{}",
        "DELETE /v1/frames HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{\"ids\":[]}",
    ].map { Array($0.utf8) }

    private static let words = [
        "\r\n", "\r\n\r\n", "0\r\n\r\n", "\0", " ", ":", "chunked", "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n", "Content-Length: 3\r\n", "Content-Length: 18446744073709551616\r\n",
        "Host: b\r\n", "HTTP/1.0", "HTTP/2.0", "Expect: 100-continue\r\n", "Upgrade: h2c\r\n", "ffffffff", "-1", "%00",
        "%",
        "null", "1e999", "[[[[", "\u{FEFF}", "../", "?&=", "OPTIONS * HTTP/1.1\r\n", "CONNECT a:1 HTTP/1.1\r\n",
    ].map { Array($0.utf8) }

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func next() -> [UInt8] {
        var bytes = generator.pick(Self.requests)
        for _ in 0..<Int.random(in: 1...4, using: &generator) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let start = Int.random(in: 0...bytes.count, using: &generator)
        let end = Int.random(in: start...min(bytes.count, start + 24), using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: bytes.replaceSubrange(start..<end, with: generator.pick(Self.words))
        case 1: bytes.insert(contentsOf: generator.pick(Self.words), at: start)
        case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
        case 3: bytes.removeSubrange(start..<end)
        case 4: bytes.removeSubrange(start...)
        default:
            for index in start..<end { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
        }
    }
}
