// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import NIOCore
internal import TintypeModel

/// What concerns the daemon as a whole.
struct DaemonRoutes: Sendable {
    let version: String

    func add(to router: Router<ControlContext>) {
        router.get("/healthz") { [version] _, _ in try Response(json: Health(version: version)) }
        let contract = ByteBuffer(bytes: PackageResources.openapi_json)
        router.get("/openapi.json") { _, _ in
            Response(status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: contract))
        }
    }
}
