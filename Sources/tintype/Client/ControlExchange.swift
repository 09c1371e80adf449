// SPDX-License-Identifier: Apache-2.0
internal import NIOHTTP1
internal import TintypeModel

protocol ControlExchange: Sendable {
    /// Complete reply, whatever its status; throws ``ClientError``, and `CancellationError` at once if cancelled.
    func send(_ request: ControlRequest) async throws -> ControlResponse
}

extension ControlExchange {
    /// Sends `request` and decodes the reply, whose status must be 2xx or `accepted`.
    func read<Value: Decodable>(_ request: ControlRequest, accepting accepted: Int? = nil) async throws -> Value {
        try request.read(from: try await succeed(request, accepting: accepted).body)
    }

    /// Sends `request` and returns its reply; throws unless its status is 2xx or `accepted`.
    func succeed(_ request: ControlRequest, accepting accepted: Int? = nil) async throws -> ControlResponse {
        try (try await send(request)).checked(for: request, accepting: accepted)
    }
}

struct ControlRequest: Sendable {
    var method: String
    /// Percent-encoded path; starts with `/`.
    var path: String
    /// Query parameters in order, not yet percent-encoded.
    var query: [(name: String, value: String)] = []
    /// Additional header fields by name; `Host` and `Content-Length` are added automatically.
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// Time limit for the exchange, including the connection setup; nil for no limit.
    var deadline: Duration? = ControlRequest.defaultDeadline

    /// The daemon's own limit is 10 s to open a camera, or to read a catalog from a disk.
    static let defaultDeadline = Duration.seconds(12)

    /// Request target (RFC 9112, 3.2): path and query.
    var target: String {
        guard !query.isEmpty else { return path }
        let pairs = query.map { "\($0.name.percentEncoded())=\($0.value.percentEncoded())" }
        return "\(path)?\(pairs.joined(separator: "&"))"
    }
}

extension ControlRequest {
    init(
        method: String,
        path: String,
        json value: some Encodable,
        headers: [String: String] = [:],
        within deadline: Duration? = defaultDeadline
    ) throws {
        self.init(method: method, path: path, headers: headers, body: try WireFormat.encode(value), deadline: deadline)
        self.headers["Content-Type"] = "application/json"
    }

    func read<Value: Decodable>(from json: [UInt8]) throws(ClientError) -> Value {
        do {
            return try WireFormat.decode(Value.self, from: json)
        } catch {
            // Drops the remedy, which addresses the sender of the JSON: here the daemon.
            throw .unexpected("The reply to \(method) \(path) is not a \(Value.self): \(error.detail)")
        }
    }
}

struct ControlResponse: Sendable {
    var status: Int
    var headers = HTTPHeaders()
    /// At most ``sizeLimit`` bytes.
    var body: [UInt8] = []

    /// Maximum size of a reply body in bytes, which is also that of a stored picture; larger replies are an error.
    static let sizeLimit = 256 << 20

    func header(_ name: String) -> String? { headers.first(name: name) }

    /// Throws ``Problem`` for a problem document with a known code, else ``ClientError``, unless 2xx or `accepted`.
    func checked(for request: ControlRequest, accepting accepted: Int? = nil) throws -> ControlResponse {
        guard !(200..<300).contains(status) else { return self }
        let type = header("Content-Type") ?? ""
        if type.hasPrefix(Problem.mediaType), let failure = Self.failure(in: body) { throw failure }
        if status == accepted { return self }
        throw ClientError.unexpected("\(request.method) \(request.path) was answered with status \(status).")
    }

    /// Problem document in `json`, a ``ClientError`` if this version does not know its code; nil if it is none.
    static func failure(in json: [UInt8]) -> (any Error)? {
        if let problem = try? WireFormat.decode(Problem.self, from: json) { return problem }
        guard let newer = try? WireFormat.decode(NewerProblem.self, from: json) else { return nil }
        return ClientError(.unexpected, newer.detail, remedy: newer.remedy)
    }

    private struct NewerProblem: Decodable {
        let detail: String
        let remedy: String
    }
}
