// SPDX-License-Identifier: Apache-2.0

/// Sends a request to the daemon and brings its reply; the typed calls are built on it.
package protocol ControlExchange: Sendable {
    /// Sends `request` and awaits its whole reply, whatever its status.
    ///
    /// Throws ``ClientError``, and `CancellationError` at once when the task is cancelled.
    func send(_ request: ControlRequest) async throws -> ControlResponse
}
