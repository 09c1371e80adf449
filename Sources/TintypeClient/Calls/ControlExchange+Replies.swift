// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension ControlExchange {
    /// Sends `request` and returns its reply if its status is 2xx (RFC 9110, 15.3) or `accepted`.
    ///
    /// Throws ``Problem`` where the reply is a problem document, else ``ClientError``.
    func succeed(_ request: ControlRequest, accepting accepted: Int? = nil) async throws -> ControlResponse {
        let response = try await send(request)
        guard !(200..<300).contains(response.status), response.status != accepted else { return response }
        let type = response.header("Content-Type") ?? ""
        if type.hasPrefix(Problem.mediaType), let problem = try? WireFormat.decode(Problem.self, from: response.body) {
            throw problem
        }
        throw ClientError.unexpected("\(request.method) \(request.path) was answered with status \(response.status).")
    }

    /// Sends `request` and reads the value in its reply, whose status is 2xx or `accepted`.
    func read<Value: Decodable>(
        _ type: Value.Type,
        _ request: ControlRequest,
        accepting accepted: Int? = nil
    ) async throws -> Value {
        let response = try await succeed(request, accepting: accepted)
        do {
            return try WireFormat.decode(type, from: response.body)
        } catch {
            // The problem is written for who sent the JSON; here that is the daemon.
            throw ClientError.unexpected(
                "The reply to \(request.method) \(request.path) is not a \(type): \(error.detail)"
            )
        }
    }
}

extension ClientError {
    static func unexpected(_ detail: String) -> ClientError {
        ClientError(
            .unexpected,
            detail,
            remedy: "Use a tintype of tintyped's version, and see that the socket is tintyped's."
        )
    }
}
