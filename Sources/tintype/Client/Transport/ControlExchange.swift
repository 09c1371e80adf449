// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Sends a request to the daemon and brings its reply; the typed calls are built on it.
package protocol ControlExchange: Sendable {
    /// Sends `request` and awaits its whole reply, of any status.
    ///
    /// Throws ``ClientError``, and `CancellationError` at once when the task is cancelled.
    func send(_ request: ControlRequest) async throws -> ControlResponse
}

extension ControlExchange {
    /// Sends `request` and reads the value in its reply, whose status is 2xx or `accepted`.
    func read<Value: Decodable>(_ request: ControlRequest, accepting accepted: Int? = nil) async throws -> Value {
        try request.read(from: try await succeed(request, accepting: accepted).body)
    }

    /// Sends `request` and returns its reply if its status is 2xx or `accepted`; throws as ``ControlResponse`` does.
    func succeed(_ request: ControlRequest, accepting accepted: Int? = nil) async throws -> ControlResponse {
        try (try await send(request)).checked(for: request, accepting: accepted)
    }
}

extension ControlResponse {
    /// This reply to `request` if its status is 2xx (RFC 9110, 15.3) or `accepted`.
    ///
    /// Throws ``Problem`` where it is a problem document whose code this client knows, else ``ClientError``.
    func checked(for request: ControlRequest, accepting accepted: Int? = nil) throws -> ControlResponse {
        guard !(200..<300).contains(status) else { return self }
        let type = header("Content-Type") ?? ""
        if type.hasPrefix(Problem.mediaType), let failure = Self.failure(in: body) { throw failure }
        if status == accepted { return self }
        throw ClientError.unexpected("\(request.method) \(request.path) was answered with status \(status).")
    }

    /// The failure that a problem document tells; nil where `json` is none.
    ///
    /// Where a newer daemon gives a code that this client does not know, its words are kept.
    static func failure(in json: [UInt8]) -> (any Error)? {
        if let problem = try? WireFormat.decode(Problem.self, from: json) { return problem }
        guard let told = try? WireFormat.decode(NewerProblem.self, from: json) else { return nil }
        return ClientError(.unexpected, told.detail, remedy: told.remedy)
    }

    private struct NewerProblem: Decodable {
        let detail: String
        let remedy: String
    }
}

extension ControlRequest {
    /// The value in the reply to this request, or in a part of it.
    func read<Value: Decodable>(from json: [UInt8]) throws(ClientError) -> Value {
        do {
            return try WireFormat.decode(Value.self, from: json)
        } catch {
            // The problem is written for the sender of the JSON; here that is the daemon.
            throw .unexpected("The reply to \(method) \(path) is not a \(Value.self): \(error.detail)")
        }
    }
}
