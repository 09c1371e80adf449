// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension Camera {
    /// The request with what the configuration says of the camera's pictures where the request says nothing.
    func completed(_ request: StillRequest) -> StillRequest {
        var request = request
        request.rendering.overlay = request.rendering.overlay ?? overlay
        return request
    }
}
