// SPDX-License-Identifier: Apache-2.0
internal import TestSupport

@testable internal import tintype

/// A client that waits for as long as a slow machine takes: no test of the daemon fails since the client gave up.
///
/// The deadline that a still's request names is the daemon's to keep, and stays.
struct PatientClient: ControlExchange {
    private let client: ControlClient

    /// A client of the daemon that listens at the path `socket`.
    init(socket: String) { client = ControlClient(socket: socket) }

    func send(_ request: ControlRequest) async throws -> ControlResponse {
        var patient = request
        patient.deadline = request.deadline.map { max($0, .patience) }
        return try await client.send(patient)
    }

    /// Opens a connection, hands it to `body`, and closes it when that ends.
    func withConnection<Result>(_ body: (ControlConnection) async throws -> Result) async throws -> Result {
        try await client.withConnection(body)
    }
}
