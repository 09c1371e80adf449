// SPDX-License-Identifier: Apache-2.0

/// A metric with its samples, one per label set.
package struct MetricFamily: Sendable {
    package enum Kind: String, Sendable {
        case counter
        case gauge
        case histogram
    }

    package struct Sample: Sendable {
        package let labels: [(name: String, value: String)]
        package let value: MetricValue

        package init(_ labels: [(name: String, value: String)], _ value: MetricValue) {
            (self.labels, self.value) = (labels, value)
        }
    }

    /// Includes the unit; counters end with `_total`.
    package let name: String
    package let kind: Kind
    /// One sentence for `# HELP`.
    package let help: String
    package let samples: [Sample]

    package init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        (self.name, self.kind, self.help, self.samples) = (name, kind, help, samples)
    }
}

package enum MetricValue: Equatable, Sendable {
    case number(Double)
    case histogram(MetricHistogram)
}

package struct MetricHistogram: Equatable, Sendable {
    /// Ascending upper bounds of the buckets; one more bucket follows for larger values (`+Inf`).
    package let bounds: [Double]
    /// Observations per bucket, not cumulative.
    package private(set) var counts: [UInt64]
    package private(set) var sum = 0.0

    package init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    package mutating func observe(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
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
