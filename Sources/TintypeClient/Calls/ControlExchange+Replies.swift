// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension ControlExchange {
    /// Sends `request` and returns its reply if its status is 2xx or `accepted`; throws as ``ControlResponse`` does.
    func succeed(_ request: ControlRequest, accepting accepted: Int? = nil) async throws -> ControlResponse {
        try (try await send(request)).checked(for: request, accepting: accepted)
    }

    /// Sends `request` and reads the value in its reply, whose status is 2xx or `accepted`.
    func read<Value: Decodable>(
        _ type: Value.Type,
        _ request: ControlRequest,
        accepting accepted: Int? = nil
    ) async throws -> Value {
        try request.read(type, from: try await succeed(request, accepting: accepted).body)
    }
}

extension ControlResponse {
    /// This reply to `request` if its status is 2xx (RFC 9110, 15.3) or `accepted`.
    ///
    /// Throws ``Problem`` where it is a problem document, else ``ClientError``.
    func checked(for request: ControlRequest, accepting accepted: Int? = nil) throws -> ControlResponse {
        guard !(200..<300).contains(status), status != accepted else { return self }
        let type = header("Content-Type") ?? ""
        if type.hasPrefix(Problem.mediaType), let problem = try? WireFormat.decode(Problem.self, from: body) {
            throw problem
        }
        throw ClientError.unexpected("\(request.method) \(request.path) was answered with status \(status).")
    }
}

extension ControlRequest {
    /// The value in the reply to this request, or in a part of it.
    func read<Value: Decodable>(_ type: Value.Type, from json: [UInt8]) throws(ClientError) -> Value {
        do {
            return try WireFormat.decode(type, from: json)
        } catch {
            // The problem is written for the sender of the JSON; here that is the daemon.
            throw .unexpected("The reply to \(method) \(path) is not a \(type): \(error.detail)")
        }
    }
}

extension ClientError {
    static func unexpected(_ detail: String) -> ClientError {
        ClientError(
            .unexpected,
            detail,
            remedy: "Use a tintype of tintyped's version, and check that the socket is tintyped's."
        )
    }
}
