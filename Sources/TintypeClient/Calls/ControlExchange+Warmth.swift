// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

// Each call throws ``Problem`` where the daemon answers with one, and ``ClientError`` where no reply can be had.
extension ControlExchange {
    /// Opens a camera and keeps it open until it is stopped (`POST /v1/cameras/{camera}/start`).
    ///
    /// Returns its status once frames are on their way.
    package func start(_ camera: String) async throws -> CameraStatus {
        try await post(CameraStatus.self, camera, "start", [])
    }

    /// Closes a camera, and ends every hold on it (`POST /v1/cameras/{camera}/stop`).
    package func stop(_ camera: String) async throws -> CameraStatus {
        try await post(CameraStatus.self, camera, "stop", [])
    }

    /// Forgets what the pictures of a camera always have wrong (`POST /v1/cameras/{camera}/tolerance/reset`).
    package func resetTolerance(of camera: String) async throws -> CameraStatus {
        try await post(CameraStatus.self, camera, "tolerance/reset", [])
    }

    /// Takes a lease on a camera, or extends it (`POST /v1/cameras/{camera}/hold`).
    package func hold(_ request: HoldRequest, of camera: String) async throws -> CameraHold {
        try await post(CameraHold.self, camera, "hold", try WireFormat.encode(request))
    }

    /// Ends one lease on a camera, or all (`POST /v1/cameras/{camera}/release`); returns those that are left.
    package func release(_ request: ReleaseRequest, of camera: String) async throws -> HoldList {
        try await post(HoldList.self, camera, "release", try WireFormat.encode(request))
    }

    private func post<Value: Decodable>(
        _ type: Value.Type,
        _ camera: String,
        _ verb: String,
        _ body: [UInt8]
    ) async throws -> Value {
        try await read(
            type,
            ControlRequest(
                "POST",
                Self.path(camera) + "/" + verb,
                headers: body.isEmpty ? [:] : ["Content-Type": "application/json"],
                body: body,
                deadline: Self.opening
            )
        )
    }

    /// The daemon itself gives a camera 10 s to open.
    private static var opening: Duration { .seconds(12) }
}
