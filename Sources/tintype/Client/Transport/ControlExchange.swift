// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

package protocol ControlExchange: Sendable {
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

extension ControlResponse {
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

extension ControlRequest {
    func read<Value: Decodable>(from json: [UInt8]) throws(ClientError) -> Value {
        do {
            return try WireFormat.decode(Value.self, from: json)
        } catch {
            // Drops the remedy, which addresses the sender of the JSON: here the daemon.
            throw .unexpected("The reply to \(method) \(path) is not a \(Value.self): \(error.detail)")
        }
    }
}

package struct ControlResponse: Hashable, Sendable {
    package var status: Int
    /// Keyed by lower-case name; repeated fields are joined by `, ` (RFC 9110, 5.3).
    package var headers: [String: String] = [:]
    /// At most ``sizeLimit`` bytes.
    package var body: [UInt8] = []

    /// Maximum size of a reply body in bytes, which is also that of a stored picture; larger replies are an error.
    package static let sizeLimit = 256 << 20

    /// Value of a header field, ignoring case; nil if missing.
    package func header(_ name: String) -> String? { headers[name.lowercased()] }
}
