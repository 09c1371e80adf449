// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

extension ControlExchange {
    /// Watches a camera for a few frames (`POST /v1/cameras/{camera}/examine`) and returns what came.
    ///
    /// Throws ``Problem`` where the daemon answers with one, and ``ClientError`` where no reply can be had.
    package func examine(_ request: ExaminationRequest, of camera: String) async throws -> Examination {
        try await read(
            Examination.self,
            ControlRequest(
                "POST",
                Self.path(camera) + "/examine",
                headers: ["Content-Type": "application/json"],
                body: try WireFormat.encode(request),
                deadline: request.deadline + Self.margin
            )
        )
    }
}
