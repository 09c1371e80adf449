// SPDX-License-Identifier: Apache-2.0
internal import NIOCore

/// The daemon's HTTP API over its Unix socket.
///
/// May be used from any number of tasks at once. Each call opens a connection of its own; ``withConnection(_:)`` keeps
/// one open for several.
package struct ControlClient: ControlExchange {
    /// The path of the socket.
    package let socket: String

    /// Where a packaged tintyped listens.
    package static let defaultSocket = "/run/tintype/tintyped.sock"

    /// Sends `request` on a connection of its own and awaits its whole reply, of any status.
    ///
    /// Throws ``ClientError``, and `CancellationError` at once when the task is cancelled.
    package func send(_ request: ControlRequest) async throws -> ControlResponse {
        let start = NIODeadline.now()
        return try await using(within: request.deadline) { try await $0.send(request, since: start) }
    }

    /// Opens a connection, hands it to `body`, and closes it when that ends.
    package func withConnection<Result>(_ body: (ControlConnection) async throws -> Result) async throws -> Result {
        try await using(within: ControlRequest.defaultDeadline, body)
    }

    private func using<Result>(
        within limit: Duration?,
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
