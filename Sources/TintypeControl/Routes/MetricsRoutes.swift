// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import TintypeModel

/// What is measured.
struct MetricsRoutes: Sendable {
    let metrics: any MetricsService

    var routes: [Route] {
        [
            Route(
                .get("/metrics", "metrics", .role(.view)),
                "What the daemon measures, for Prometheus",
                "Opens no camera.",
                replies: [
                    RouteReply(
                        status: 200,
                        description: "The measurements in the text format 0.0.4 of Prometheus.",
                        mediaType: "text/plain",
                        schema: String.schema
                    )
                ]
            ) { _, _ in
                Response(
                    status: .ok,
                    headers: [.contentType: MetricText.mediaType, .cacheControl: "no-store"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: MetricText.text(await metrics.families())))
                )
            }
        ]
    }
}
