// SPDX-License-Identifier: Apache-2.0

/// Measurements as Prometheus reads them.
enum MetricText: CaseIterable {
    /// Prometheus text format 0.0.4.
    case prometheus
    /// OpenMetrics 1.0.
    case openMetrics

    var mediaType: String {
        switch self {
        case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// The one that a client likes better (`Accept`, RFC 9110, 12.5.1).
    init(accept: String?) {
        var weights: [Substring: Double] = [:]
        for range in (accept ?? "").split(separator: ",") {
            let parts = range.split(separator: ";").map { $0.drop { $0 == " " } }
            let weight = parts.dropFirst().compactMap { $0.hasPrefix("q=") ? Double($0.dropFirst(2)) : nil }.first
            guard let type = parts.first else { continue }
            weights[type] = max(weights[type] ?? 0, weight ?? 1)
        }
        let plain = weights["text/plain"] ?? weights["text/*"] ?? weights["*/*"] ?? 0
        self =
            weights["application/openmetrics-text"].map { $0 > 0 && $0 >= plain } == true ? .openMetrics : .prometheus
    }

    func text(_ families: [MetricFamily]) -> String {
        let end = self == .openMetrics ? "# EOF\n" : ""
        return families.map(text).joined() + end
    }

    private func text(_ family: MetricFamily) -> String {
        let suffix = "_total"
        // OpenMetrics names a family of counters without what each of its samples ends with.
        let isShort = self == .openMetrics && family.kind == .counter && family.name.hasSuffix(suffix)
        let name = isShort ? String(family.name.dropLast(suffix.count)) : family.name
        let quote = self == .openMetrics ? family.help.replacing("\"", with: "\\\"") : family.help
        return "# HELP \(name) \(quote)\n# TYPE \(name) \(family.kind.rawValue)\n"
            + family.samples.map { lines(family.name, $0) }.joined()
    }

    private func lines(_ name: String, _ sample: MetricFamily.Sample) -> String {
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
