// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import NIOCore
import TestSupport
import Testing

@testable import TintypeAPI

/// Access to the routes: by the router alone, or by a server on a socket.
enum Transport: String, CaseIterable, Sendable {
    case router, socket
}

struct API {
    let send: (_ request: String, _ headers: [String: String], _ body: String?) async throws -> Reply

    /// The reply to `request`, whose status must be listed in the contract.
    func callAsFunction(_ request: String, headers: [String: String] = [:], body: String? = nil) async throws -> Reply {
        let reply = try await send(request, headers, body)
        let parts = request.split(separator: " ")
        let fitting = NamedStatuses.all.filter { $0.fits(parts[1].prefix { $0 != "?" }) }
        // The most specific path: /v1/frames/query is not a frame.
        let path = fitting.min { $0.names < $1.names }?.path
        if let named = fitting.first(where: { $0.path == path && $0.method == (parts[0] == "HEAD" ? "GET" : parts[0]) })
        {
            #expect(named.statuses.contains("\(reply.status)"), "\(request): \(reply.status) is not in the contract")
        }
        return reply
    }
}

/// The statuses that the contract lists for one method of a path.
private struct NamedStatuses {
    let method: String
    let path: [Substring]
    let statuses: Set<String>

    /// Number of variable segments.
    var names: Int { path.count { $0.hasPrefix("{") } }

    func fits(_ other: Substring) -> Bool {
        let other = other.split(separator: "/")
        return other.count == path.count && zip(path, other).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }

    static let all = ((try? Contract())?.operations ?? []).map {
        NamedStatuses(method: $0.method.uppercased(), path: $0.path.split(separator: "/"), statuses: $0.statuses)
    }
}

func withAPI(
    _ transport: Transport,
    cameras: FakeCameras = FakeCameras(),
    frames: FakeFrames = FakeFrames(),
    jobs: FakeJobs = FakeJobs(),
    _ body: (API) async throws -> Void
) async throws {
    switch transport {
    case .router:
        let responder = ControlResponder(.fakes(cameras, frames, jobs: jobs), logger: .quiet)
        try await body(API { try await ask(responder, $0, $1, $2) })
    case .socket:
        try await withServer(cameras: cameras, frames: frames, jobs: jobs) { path, _ in
            try await body(API { try await ask(path, $0, $1, $2) })
        }
    }
}

private func ask(_ path: String, _ line: String, _ headers: [String: String], _ body: String?) async throws -> Reply {
    let client = try await RawClient(path)
    var headers = headers
    if let body { headers["Content-Length"] = headers["Content-Length"] ?? "\(body.utf8.count)" }
    let fields = headers.map { "\($0): \($1)\r\n" }.joined()
    try await client.send("\(line) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\(body ?? "")")
    let reply = try #require(await client.reply(toHead: line.hasPrefix("HEAD")))
    try? await client.close()
    return reply
}

func ask(
    _ responder: ControlResponder,
    _ line: String,
    _ headers: [String: String],
    _ body: String? = nil,
    from peer: Peer = .starter
) async throws -> Reply {
    let parts = line.split(separator: " ")
    var fields = HTTPFields()
    for (name, value) in headers where name != "Host" { fields[try #require(HTTPField.Name(name))] = value }
    if let body, fields[.contentLength] == nil { fields[.contentLength] = "\(body.utf8.count)" }
    let head = HTTPRequest(
        method: try #require(HTTPRequest.Method(String(parts[0]))),
        scheme: "http",
        authority: headers["Host"] ?? "localhost",
        path: String(parts[1]),
        headerFields: fields
    )
    let response = await responder.respond(
        to: Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body ?? ""))),
        from: peer
    )
    let sink = Sink()
    // The parts of a stream need a connection.
    do { try await response.body.write(SinkWriter(sink: sink)) } catch ChannelError.ioOnClosedChannel {}
    var replied: [String: String] = [:]
    for field in response.headers { replied[field.name.canonicalName] = field.value }
    return Reply(status: response.status.code, headers: replied, body: sink.bytes)
}

private final class Sink {
    var bytes: [UInt8] = []
}

private struct SinkWriter: ResponseBodyWriter {
    let sink: Sink

    @concurrent mutating func write(_ buffer: ByteBuffer) async throws { sink.bytes += buffer.readableBytesView }
    @concurrent consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
