// SPDX-License-Identifier: Apache-2.0
internal import TintypeCapture
internal import TintypeModel

/// Warmth by command, as the API asks for it.
extension Cameras {
    func start(_ name: String) async throws(Problem) -> CameraStatus {
        _ = try await find(name).session.start()
        return try await camera(name)
    }

    func stop(_ name: String) async throws(Problem) -> CameraStatus {
        try await find(name).session.stop()
        return try await camera(name)
    }

    func hold(_ request: HoldRequest, of name: String) async throws(Problem) -> CameraHold {
        try await find(name).session.hold(request)
    }

    func release(_ request: ReleaseRequest, of name: String) async throws(Problem) -> [CameraHold] {
        try await find(name).session.release(request)
    }
}
