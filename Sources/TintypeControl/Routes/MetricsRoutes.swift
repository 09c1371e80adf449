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
                .get,
                "/metrics",
                "metrics",
                .role(.view),
                "What the daemon measures, for Prometheus",
                "OpenMetrics where the client prefers it (Accept). Opens no camera.",
                parameters: [.header("Accept", "application/openmetrics-text for OpenMetrics 1.0.")],
                replies: [
                    RouteReply(
                        status: 200,
                        description: "The measurements in the text format 0.0.4 of Prometheus, or as OpenMetrics 1.0.",
                        mediaType: "text/plain",
                        schema: String.schema,
                        otherMediaTypes: ["application/openmetrics-text"]
                    )
                ]
            ) { request, _ in
                let format = MetricText(accept: request.headers[.accept])
                let text = format.text(await metrics.families())
                return Response(
                    status: .ok,
                    headers: [.contentType: format.mediaType, .cacheControl: "no-store"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: text))
                )
            }
        ]
    }
}
