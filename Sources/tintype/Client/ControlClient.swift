// SPDX-License-Identifier: Apache-2.0
internal import NIOCore

/// The daemon's HTTP API over its Unix socket, for concurrent use; each call opens a new connection.
struct ControlClient: ControlExchange {
    let socket: String

    static let defaultSocket = "/run/tintype/tintyped.sock"

    func send(_ request: ControlRequest) async throws -> ControlResponse {
        let start = NIODeadline.now()
        return try await withConnection(within: request.deadline) { try await $0.send(request, since: start) }
    }

    /// Opens a connection for `body`, and closes it when `body` returns or throws.
    func withConnection<Result>(
        within limit: Duration? = ControlRequest.defaultDeadline,
        _ body: (ControlConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try await ControlConnection.open(socket, within: limit)
        do {
            let result = try await body(connection)
            await connection.close()
            return result
        } catch {
            await connection.close()
            throw error
        }
    }
}
