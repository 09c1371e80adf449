// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import NIOCore
internal import TintypeModel

/// The routes of the daemon as a whole.
struct DaemonRoutes: Sendable {
    let services: ControlServices

    var routes: [Route] {
        [
            Route(
                .get,
                "/healthz",
                "health",
                "The health of the daemon, its cameras and its spools",
                "Opens no camera and waits for no disk.",
                replies: [.json(Health.self, "Everything works (ok), or something does not (degraded).")]
            ) { _, _ in
                let health = await services.health()
                return try Response(json: health, status: .init(code: health.status.httpStatus))
            },
            Route(
                .get,
                "/openapi.json",
                "contract",
                "This document",
                replies: [
                    RouteReply(
                        status: 200,
                        description: "The document.",
                        mediaType: "application/json",
                        schema: ["type": "object"]
                    )
                ]
            ) { _, _ in
                Response(
                    status: .ok,
                    headers: [.contentType: "application/json"],
                    body: ResponseBody(byteBuffer: Self.contract)
                )
            },
        ]
    }

    private static let contract = ByteBuffer(bytes: PackageResources.openapi_json)
}
