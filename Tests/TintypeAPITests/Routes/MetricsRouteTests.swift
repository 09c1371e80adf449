// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import TintypeAPI

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

    @Test func `metrics are written in the Prometheus text format`() {
        #expect(
            MetricText.text(Self.families) == #"""
                # HELP a_total So many "a".
                # TYPE a_total counter
                a_total{camera="y\"a\\r\nd"} 3
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

    @Test func `GET of the metrics ignores the preferred media type`() async throws {
        let responder = ControlResponder(.fakes(metrics: FakeMetrics(all: Self.families)), logger: .quiet)
        // Prometheus lists other formats first.
        for accept in ["text/plain", "application/x-other;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"] {
            let reply = try await ask(responder, "GET /metrics", ["Accept": accept])
            #expect(reply.status == 200 && reply.headers["content-type"] == MetricText.mediaType)
            #expect(String(decoding: reply.body, as: UTF8.self) == MetricText.text(Self.families))
        }
    }
}
