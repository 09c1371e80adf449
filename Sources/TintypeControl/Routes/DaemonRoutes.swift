// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import NIOCore
internal import TintypeModel

/// The routes of the daemon as a whole.
struct DaemonRoutes: Sendable {
    let version: String
    let cameras: any CameraService
    let frames: any FrameService

    func add(to router: Router<ControlContext>) {
        router.get("/healthz") { _, _ in
            let health = Health(version: version, cameras: await cameras.cameras(), spools: frames.conditions())
            return try Response(json: health, status: .init(code: health.status.httpStatus))
        }
        let contract = ByteBuffer(bytes: PackageResources.openapi_json)
        router.get("/openapi.json") { _, _ in
            Response(status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: contract))
        }
    }
}
