// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc
internal import NIOCore
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

struct ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// connect(2): `ENOENT`, `ECONNREFUSED` without a listener, `EACCES` or `EPERM`, and others.
        case missing, refused, denied, connection
        case deadline, closed
        case notHTTP = "not-http"
        /// The reply exceeds ``ControlResponse/sizeLimit``.
        case tooLarge = "too-large"
        case unexpected
    }

    let kind: Kind
    /// One sentence with the socket's path, or the daemon's own text.
    let detail: String
    let remedy: String

    init(_ kind: Kind, _ detail: String, remedy: String) {
        self.kind = kind
        self.detail = detail
        self.remedy = remedy
    }

    /// True for errors that are expected while the daemon restarts.
    var isPassing: Bool { [.missing, .refused, .connection, .closed, .deadline].contains(kind) }
    var description: String { "\(detail) \(remedy)" }

    static func deadline(_ limit: Duration, at socket: String) -> ClientError {
        let detail = "\(socket): no whole reply within \(limit.millisecondCount.rounded() / 1000) s."
        let remedy = "See whether tintyped is stuck (systemctl status tintyped, sudo journalctl -u tintyped)."
        return ClientError(.deadline, detail, remedy: remedy)
    }

    static func closed(at socket: String) -> ClientError {
        let remedy = "See why tintyped hung up (sudo journalctl -u tintyped), and ask again."
        return ClientError(.closed, "\(socket): the connection ended before the reply was whole.", remedy: remedy)
    }

    static func tooLarge(at socket: String) -> ClientError {
        let detail = "\(socket): the reply is larger than \(ControlResponse.sizeLimit >> 20) MiB."
        let remedy = "Ask for less at once, or check whether a program other than tintyped answers there."
        return ClientError(.tooLarge, detail, remedy: remedy)
    }

    static func notHTTP(at socket: String) -> ClientError {
        let remedy = "Give tintyped's own socket by --socket or TINTYPE_SOCKET."
        return ClientError(.notHTTP, "\(socket): the program that answers there does not speak HTTP.", remedy: remedy)
    }

    static func unexpected(_ detail: String) -> ClientError {
        let remedy = "Use a tintype of tintyped's version, and check that the socket is tintyped's."
        return ClientError(.unexpected, detail, remedy: remedy)
    }

    /// Maps an error of connect(2).
    static func connecting(to socket: String, _ error: any Error) -> ClientError {
        let code = (error as? IOError)?.errnoCode
        let start = "Start it (sudo systemctl start tintyped.socket tintyped)"
        switch code {
        case ENOENT, ENOTDIR:
            let detail = "tintyped does not seem to run: there is no socket at \(socket)."
            return ClientError(.missing, detail, remedy: "\(start), or name its socket by --socket or TINTYPE_SOCKET.")
        case ECONNREFUSED:
            let detail = "tintyped does not seem to run: no program listens at \(socket)."
            return ClientError(.refused, detail, remedy: "\(start); it replaces a socket file that was left behind.")
        case EACCES, EPERM:
            let remedy = Self.remedy(forGroup: group(of: socket))
            return ClientError(.denied, "Your user may not use \(socket).", remedy: remedy)
        default:
            let isTooLong = error is SocketAddressError
            let reason = isTooLong ? "the path is too long for a Unix socket (107 bytes)" : "\(error)"
            let detail = "connect to \(socket): \(code.map(ErrnoText.of) ?? reason)."
            let remedy = "Give the path of tintyped's socket by --socket or TINTYPE_SOCKET."
            return ClientError(.connection, detail, remedy: remedy)
        }
    }

    /// Remedy for a missing permission; never suggests joining the group root, which grants far more.
    static func remedy(forGroup group: String?) -> String {
        switch group {
        case nil: "Ask its owner for access, or run the command as a user who has it."
        case "root":
            "Run the command as root, or name a group of yours as socket.group in tintyped's configuration and restart it."
        case let group?: "Add it to the group \(group) (sudo usermod -aG \(group) USER) and log in again."
        }
    }

    /// Group that owns the socket or, if its folder is inaccessible, the folder.
    private static func group(of socket: String) -> String? {
        let owners = [socket, socket.enclosingFolder].map { path in
            (try? FileManager.default.attributesOfItem(atPath: path))?[.groupOwnerAccountName] as? String
        }
        return owners[0] ?? owners[1]
    }
}
