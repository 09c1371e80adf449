// SPDX-License-Identifier: Apache-2.0
internal import NIOHTTP1
internal import Testing

@testable internal import tintype

struct ControlConnectionTests {
    private func echo(_ request: FakeDaemon.Request) -> FakeDaemon.Reply {
        .http(200, ["X-Method": request.method], Array(request.target.utf8) + request.body)
    }

    @Test func `a request is sent as given and its reply returned whole`() async throws {
        try await FakeDaemon.serving(echo) { daemon in
            let request = ControlRequest(
                method: "POST",
                path: "/v1/x",
                query: [("a b", "ü&=")],
                headers: ["X-One": "1"],
                body: Array("body".utf8)
            )
            let response = try await ControlClient(socket: daemon.socket).send(request)
            #expect(response.status == 200)
            #expect(response.header("x-METHOD") == "POST")
            #expect(response.body == Array("/v1/x?a%20b=%C3%BC%26%3Dbody".utf8))
            #expect(daemon.log.requests.first?.headers.first(name: "X-One") == "1")
            #expect(daemon.log.requests.first?.headers.first(name: "Host") == "localhost")
        }
    }

    @Test func `one connection carries sequential and concurrent requests`() async throws {
        try await FakeDaemon.serving(echo) { daemon in
            try await ControlClient(socket: daemon.socket).withConnection { connection in
                for index in 0..<5 {
                    let response = try await connection.send(
                        ControlRequest(method: "GET", path: "/\(index)", deadline: nil)
                    )
                    #expect(response.body == Array("/\(index)".utf8))
                }
                try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
                    for index in 0..<20 {
                        let request = ControlRequest(method: "GET", path: "/\(index)", deadline: nil)
                        group.addTask { (index, try await connection.send(request).body) }
                    }
                    for try await (index, body) in group { #expect(body == Array("/\(index)".utf8)) }
                }
            }
            #expect(daemon.log.connections == 1)
            #expect(daemon.log.requests.count == 25)
        }
    }

    @Test func `no reply in time is a deadline error`() async throws {
        try await FakeDaemon.serving(always: .silence) { daemon in
            let error = await #expect(throws: ClientError.self) {
                try await ControlClient(socket: daemon.socket)
                    .send(ControlRequest(method: "GET", path: "/", deadline: .milliseconds(150)))
            }
            #expect(error?.kind == .deadline)
            #expect(error?.detail.contains("0.15 s") == true)
        }
    }

    @Test func `cancellation ends a pending request`() async throws {
        try await FakeDaemon.serving(always: .silence) { daemon in
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: CancellationError.self) {
                        try await ControlClient(socket: daemon.socket).send(
                            ControlRequest(method: "GET", path: "/", deadline: nil)
                        )
                    }
                }
                var arrivals = daemon.arrivals.makeAsyncIterator()
                _ = await arrivals.next()
                group.cancelAll()
            }
        }
    }

    @Test(
        arguments: [
            ("", .closed), ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", .closed),
            ("HTTP/1.1 200 OK\r\nContent-Le", .closed), ("220 mail.example ESMTP\r\n", .notHTTP),
            ("HTTP/1.1 200 OK\r\nContent-Length: 268435457\r\n\r\nabc", .tooLarge),
        ] as [(String, ClientError.Kind)]
    )
    func `an unusable reply is reported with its cause`(_ reply: String, _ kind: ClientError.Kind) async throws {
        try await FakeDaemon.serving(always: .bytes(reply)) { daemon in
            let error = await #expect(throws: ClientError.self) {
                try await ControlClient(socket: daemon.socket).send(
                    ControlRequest(method: "GET", path: "/", deadline: nil)
                )
            }
            #expect(error?.kind == kind)
            #expect(error?.detail.contains(daemon.socket) == true)
        }
    }

    @Test func `a failed connection rejects later requests`() async throws {
        try await FakeDaemon.serving(always: .bytes("nonsense\r\n\r\n")) { daemon in
            try await ControlClient(socket: daemon.socket).withConnection { connection in
                for _ in 0..<3 {
                    await #expect(throws: ClientError.self) {
                        try await connection.send(ControlRequest(method: "GET", path: "/", deadline: nil))
                    }
                }
            }
            #expect(daemon.log.requests.count == 1)
        }
    }
}
