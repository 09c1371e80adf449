// SPDX-License-Identifier: Apache-2.0
internal import Hummingbird
internal import TintypeModel

extension ControlServices {
    var metricsRoutes: [Route] {
        [
            Route(
                .get("/metrics", "metrics", .role(.view)),
                "Metrics for Prometheus",
                "Opens no camera.",
                replies: [.content("text/plain", "The measurements in the text format 0.0.4 of Prometheus.")]
            ) { _, _ in
                Response(ByteBuffer(string: MetricText.text(await metrics.families())), .uncached(MetricText.mediaType))
            }
        ]
    }
}

enum MetricText {
    static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    static func text(_ families: [MetricFamily]) -> String { families.map(text).joined() }

    private static func text(_ family: MetricFamily) -> String {
        "# HELP \(family.name) \(family.help)\n# TYPE \(family.name) \(family.kind.rawValue)\n"
            + family.samples.map { lines(family.name, $0) }.joined()
    }

    private static func lines(_ name: String, _ sample: MetricFamily.Sample) -> String {
        switch sample.value {
        case .number(let number): return "\(name)\(Self.labels(sample.labels)) \(Self.number(number))\n"
        case .histogram(let histogram):
            var count: UInt64 = 0
            var text = ""
            for (bound, more) in zip(histogram.bounds.map { "\($0)" } + ["+Inf"], histogram.counts) {
                count += more
                text += "\(name)_bucket\(Self.labels(sample.labels + [("le", bound)])) \(count)\n"
            }
            let labels = Self.labels(sample.labels)
            return text + "\(name)_sum\(labels) \(Self.number(histogram.sum))\n\(name)_count\(labels) \(count)\n"
        }
    }

    private static func labels(_ labels: [(name: String, value: String)]) -> String {
        guard !labels.isEmpty else { return "" }
        let members = labels.map { name, value in
            let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            return "\(name)=\"\(escaped)\""
        }
        return "{\(members.joined(separator: ","))}"
    }

    private static func number(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
}
