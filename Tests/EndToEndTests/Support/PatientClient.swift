// SPDX-License-Identifier: Apache-2.0
internal import TestSupport

@testable internal import tintype

/// Client with deadlines for a slow machine, so that no test of the daemon fails by a client timeout.
///
/// The deadline in a still request is kept by the daemon and not changed.
struct PatientClient: ControlExchange {
    private let client: ControlClient

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
