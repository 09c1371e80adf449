// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import Testing

@testable import TintypeControl

struct MetricsRouteTests {
    private static let families = [
        MetricFamily("a_total", .counter, "So many \"a\".", [.init([("camera", "y\"a\\r\nd")], .number(3))]),
        MetricFamily("b_bytes", .gauge, "Bytes.", [.init([], .number(0.25)), .init([("of", "c")], .number(2e9))]),
        MetricFamily("c_seconds", .histogram, "Seconds.", [.init([("of", "d")], .histogram(histogram))]),
        MetricFamily("e", .gauge, "Nothing.", []),
    ]

    private static var histogram: MetricHistogram {
        var histogram = MetricHistogram(bounds: [0.001, 1])
        for value in [0.0005, 0.001, 0.5, 1.5, 2.5] { histogram.observe(value) }
        return histogram
    }

    private static let samples = #"""
        a_total{camera="y\"a\\r\nd"} 3
        """#

    @Test func `Prometheus' text names each family as its samples, with what it says and what it is`() {
        #expect(
            MetricText.prometheus.text(Self.families) == #"""
                # HELP a_total So many "a".
                # TYPE a_total counter
                \#(Self.samples)
                # HELP b_bytes Bytes.
                # TYPE b_bytes gauge
                b_bytes 0.25
                b_bytes{of="c"} 2000000000
                # HELP c_seconds Seconds.
                # TYPE c_seconds histogram
                c_seconds_bucket{of="d",le="0.001"} 2
                c_seconds_bucket{of="d",le="1.0"} 3
                c_seconds_bucket{of="d",le="+Inf"} 5
                c_seconds_sum{of="d"} 4.5015
                c_seconds_count{of="d"} 5
                # HELP e Nothing.
                # TYPE e gauge

                """#
        )
    }

    @Test func `OpenMetrics names counters without their ending, and ends with its mark`() {
        let text = MetricText.openMetrics.text(Self.families)
        #expect(text.hasPrefix("# HELP a So many \\\"a\\\".\n# TYPE a counter\n\(Self.samples)\n# HELP b_bytes"))
        #expect(text.hasSuffix("# TYPE e gauge\n# EOF\n"))
    }

    @Test(
        arguments: [
            (nil, MetricText.prometheus), ("", .prometheus), ("*/*", .prometheus), ("text/plain", .prometheus),
            ("application/openmetrics-text", .openMetrics), ("application/openmetrics-text;q=0", .prometheus),
            // What Prometheus 2.42 and 3 send.
            (
                "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
                    + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1", .openMetrics
            ),
            ("application/openmetrics-text; version=1.0.0; q=0.3, text/plain; q=0.9", .prometheus),
        ]
    )
    func `the client says which it likes better`(accept: String?, format: MetricText) {
        #expect(MetricText(accept: accept) == format)
    }

    @Test func `the route has either with its media type`() async throws {
        let responder = ControlResponder(
            .fakes(metrics: FakeMetrics(all: Self.families)),
            logger: Logger(label: "test")
        )
        for format in MetricText.allCases {
            let accept = String(format.mediaType.prefix { $0 != ";" })
            let reply = try await ask(responder, "GET /metrics", ["Accept": accept])
            #expect(reply.status == 200 && reply.headers["content-type"] == format.mediaType)
            #expect(String(decoding: reply.body, as: UTF8.self) == format.text(Self.families))
        }
    }
}
