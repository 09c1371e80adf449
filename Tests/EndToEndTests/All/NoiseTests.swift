// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeClient
internal import TintypeDigest
internal import TintypeModel

extension Processes {
    /// Nonsense on the sockets.
    @Suite struct NoiseTests {
        private static let token = "tt_0123456789"

        private static let configuration = """
            tcp: {port: 0}
            access:
              - {token: "sha256:\(SHA256.text(Array(token.utf8)))", name: operator, role: control, cameras: [pattern]}

            """

        /// A million bytes for the reader of HTTP, for tokens, cookies, and Host, over TCP and on the Unix socket.
        @Test(arguments: [1, 2]) func `a million bytes of noise end nothing, leak nothing and are nobody's fault`(
            seed: Int
        ) async throws {
            try await Site.with { site in
                let daemon = try await site.startDaemon(["YUYV:160x90@30"], configuration: Self.configuration)
                let port = String(try #require(daemon.errors.firstMatch(of: /tcp=127\.0\.0\.1:([0-9]+)/)).1)
                // What is made once is made.
                _ = try await site.python(sendNoise, site.socket, port, Self.token, "\(seed + 100)", "100000")
                try await eventually("the connections are closed") {
                    ProcessFiles(pid: daemon.pid).open.count { $0.hasPrefix("socket:") } <= 6
                }
                let before = try daemon.residentKilobytes
                let sent = try await site.python(sendNoise, site.socket, port, Self.token, "\(seed)", "1000000")
                #expect(Int(sent) ?? 0 >= 1_000_000)
                try await eventually("the connections are closed") {
                    ProcessFiles(pid: daemon.pid).open.count { $0.hasPrefix("socket:") } <= 6
                }
                #expect(try daemon.residentKilobytes < before + 16_384, "it grew")
                #expect(daemon.poll() == nil && !daemon.errors.contains("failed at request"))
                #expect(try await site.tintype("still").status == 0)
            }
        }
    }
}

extension Child {
    /// Its memory (VmRSS of proc_pid_status(5)).
    fileprivate var residentKilobytes: Int {
        get throws {
            let text = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
            return Int(try #require(text.firstMatch(of: /VmRSS:\s+([0-9]+) kB/)).1) ?? 0
        }
    }
}

/// Sends requests of which bytes were changed, to a Unix socket and to a port in turn, until so many bytes are sent; prints
/// how many were.
private let sendNoise = #"""
    import base64, random, socket, sys
    path, port, token, seed, wanted = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
    chance = random.Random(seed)
    basic = base64.b64encode(f"x:{token}".encode()).decode()
    seeds = [request.encode() for request in (
        f"GET /v1/cameras HTTP/1.1\r\nHost: localhost:{port}\r\nAuthorization: Bearer {token}\r\n\r\n",
        f"GET /v1/access HTTP/1.1\r\nHost: [::1]:{port}\r\nAuthorization: Basic {basic}\r\n\r\n",
        f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: a=b; tintype={token}; c=d\r\nOrigin: http://127.0.0.1\r\n\r\n",
        f"GET /v1/cameras/pattern/still.jpg?fresh=latest&token={token}&quality=20 HTTP/1.1\r\nHost: camera.lan\r\n\r\n",
        f"GET /v1/frames?where=camera:pattern&token={token} HTTP/1.1\r\nHost: a\r\nSec-Fetch-Site: cross-site\r\n\r\n",
        f"POST /v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(token) + 12}\r\n\r\n{{\"token\":\"{token}\"}}",
        f"PATCH /v1/cameras/pattern/controls HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        "10\r\n{\"brightness\":1}\r\n0\r\n\r\n",
        "POST /v1/cameras/pattern/stills HTTP/1.1\r\nHost: a\r\nContent-Length: 14\r\n\r\n{\"keep\":false}",
        "GET /page/main.js HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"x\"\r\n\r\nHEAD /?action=snapshot HTTP/1.0\r\n\r\n",
    )]
    words = [b"\r\n", b"\r\n\r\n", b"0\r\n\r\n", b"\0", b" ", b":", b";", b"=", b"tintype=", b"Bearer ", b"Basic ", b"%", b"%00",
        b"%ff", b"&", b"?", b"[", b"]", b"::", b"@", b",", b"tt_" * 40, b"A" * 9000, b"Host: b\r\n", b"Cookie: tintype=\r\n",
        b"Authorization: Basic ====\r\n", b"Content-Length: 18446744073709551616\r\n", b"Transfer-Encoding: xchunked\r\n",
        b"\xff\xfe", b"\xc3", b"HTTP/9.9", b"OPTIONS * HTTP/1.1\r\n", b"../" * 30]

    def change(data):
        start = chance.randint(0, len(data))
        end = min(len(data), start + chance.randint(0, 24))
        kind = chance.randrange(6)
        if kind == 0: return data[:start] + chance.choice(words) + data[end:]
        if kind == 1: return data[:start] + chance.choice(words) + data[start:]
        if kind == 2: return data[:end] + data[start:]
        if kind == 3: return data[:start] + data[end:]
        if kind == 4: return data[:start]
        return data[:start] + chance.randbytes(end - start) + data[end:]

    sent = 0
    while sent < wanted:
        data = chance.choice(seeds)
        for _ in range(chance.randint(1, 4)): data = change(data)
        if chance.randrange(4) == 0:
            client = socket.socket(socket.AF_UNIX)
            client.connect(path)
        else:
            client = socket.create_connection(("127.0.0.1", port))
        client.settimeout(30)
        sent += len(data)
        reply = b""
        try:
            client.sendall(data)
            client.shutdown(socket.SHUT_WR)
            while more := client.recv(1 << 16):
                reply += more
                # What has no end.
                if b"multipart/x-mixed-replace" in reply or b"text/event-stream" in reply: break
        except (BrokenPipeError, ConnectionResetError):
            pass
        client.close()
        if reply and (not reply.startswith(b"HTTP/1.") or b"HTTP/1.1 500" in reply):
            sys.exit(f"seed {seed}: {data!r}\n{reply[:500]!r}")
    print(sent)
    """#
