// SPDX-License-Identifier: Apache-2.0

/// The measurements that the HTTP API tells.
package protocol MetricsService: Sendable {
    /// All that is measured, as it is now; opens no camera, and waits for no disk longer than a second.
    func families() async -> [MetricFamily]
}

/// One thing that is measured, for each of what has it.
package struct MetricFamily: Sendable {
    /// What its numbers mean.
    package enum Kind: String, Sendable {
        /// A number that never decreases while the daemon runs.
        case counter
        /// A number of now.
        case gauge
        /// How many observations were at most so large, for several bounds.
        case histogram
    }

    /// One of what is measured.
    package struct Sample: Sendable {
        /// What it is of.
        package let labels: [(name: String, value: String)]
        /// The number of it.
        package let value: MetricValue

        /// The value of what `labels` say.
        package init(_ labels: [(name: String, value: String)], _ value: MetricValue) {
            self.labels = labels
            self.value = value
        }
    }

    /// Its name, with the unit; that of a counter ends with `_total`.
    package let name: String
    package let kind: Kind
    /// What it says, in a sentence.
    package let help: String
    package let samples: [Sample]

    /// A family of these parts.
    package init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.samples = samples
    }
}

/// A number, or the numbers of a histogram.
package enum MetricValue: Equatable, Sendable {
    case number(Double)
    case histogram(MetricHistogram)
}

/// How large observations were.
package struct MetricHistogram: Equatable, Sendable {
    /// The upper bounds of its classes, rising; what is larger than the last is in one more class.
    package let bounds: [Double]
    /// How many observations each class has.
    package private(set) var counts: [UInt64]
    /// The sum of all observations.
    package private(set) var sum = 0.0

    /// One without observations.
    package init(bounds: [Double]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// Takes an observation in.
    package mutating func observe(_ value: Double) {
        counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
        sum += value
    }
}
