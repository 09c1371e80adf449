// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import Synchronization
internal import TintypeAPI
internal import TintypeModel

/// Backend of swift-metrics for the metrics of ``MetricName``; any thread, never blocks.
final class MetricsRegistry: MetricsFactory {
    typealias Labels = [(String, String)]

    private static let none = NOOPMetricsHandler.instance

    /// Bootstraps swift-metrics on first use.
    static let ofProcess: MetricsRegistry = {
        let registry = MetricsRegistry()
        MetricsSystem.bootstrap(registry)
        return registry
    }()

    private let state = Mutex<[[String]: MetricSeries]>([:])

    /// Series without a measurement are left out.
    var families: [MetricFamily] {
        let all = state.withLock(\.self).sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
        return MetricName.allCases.map { name in
            let samples = all.filter { $0.name == name }.compactMap { series in
                series.measured.map { MetricFamily.Sample(series.labels, $0) }
            }
            return MetricFamily(name.rawValue, name.kind, name.facts.help, samples)
        }
    }

    private func series(_ label: String, _ dimensions: Labels) -> MetricSeries? {
        guard let name = MetricName(rawValue: label) else { return nil }
        let key = [label] + dimensions.flatMap { [$0.0, $0.1] }
        return state.withLock { state in
            let series = state[key] ?? MetricSeries(name, dimensions.map { ($0.0, $0.1) })
            state[key] = series
            return series
        }
    }

    func makeCounter(label: String, dimensions: Labels) -> any CounterHandler { series(label, dimensions) ?? Self.none }
    func makeMeter(label: String, dimensions: Labels) -> any MeterHandler { series(label, dimensions) ?? Self.none }
    func makeTimer(label: String, dimensions: Labels) -> any TimerHandler { series(label, dimensions) ?? Self.none }
    func makeRecorder(label: String, dimensions: Labels, aggregate: Bool) -> any RecorderHandler { Self.none }

    // Series are kept for the life of the process.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}

final class MetricSeries: CounterHandler, MeterHandler, TimerHandler {
    let name: MetricName
    let labels: [(name: String, value: String)]
    private let state = Mutex<MetricValue?>(nil)

    init(_ name: MetricName, _ labels: [(name: String, value: String)]) { (self.name, self.labels) = (name, labels) }

    /// Nil before the first measurement.
    var measured: MetricValue? { state.withLock(\.self) }

    private func update(_ change: (Double) -> Double) {
        state.withLock { value in
            let number = if case .number(let number) = value { number } else { 0.0 }
            value = .number(change(number))
        }
    }

    func increment(by amount: Int64) { update { $0 + Double(amount) } }
    func reset() { update { _ in 0 } }
    func set(_ value: Int64) { update { _ in Double(value) } }
    func set(_ value: Double) { update { _ in value } }
    func increment(by amount: Double) { update { $0 + amount } }
    func decrement(by amount: Double) { update { $0 - amount } }

    func recordNanoseconds(_ duration: Int64) {
        guard let bounds = name.facts.bounds else { return }
        state.withLock { value in
            var histogram = if case .histogram(let before) = value { before } else { MetricHistogram(bounds: bounds) }
            // Avoids a copy by making the histogram uniquely referenced.
            value = nil
            histogram.observe(Double(duration) / 1e9)
            value = .histogram(histogram)
        }
    }
}

extension MetricName {
    private static let stillTimes = [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    private static let callTimes = [0.000_01, 0.000_1, 0.001, 0.01, 0.1, 1, 10]

    var kind: MetricFamily.Kind {
        if facts.bounds != nil { return .histogram }
        return rawValue.hasSuffix("_total") ? .counter : .gauge
    }

    /// Histogram bounds are in seconds; nil for counters and gauges.
    var facts: (help: String, bounds: [Double]?) {
        switch self {
        case .stills: ("Stills requested by clients and schedules, by result: ok or a problem code.", nil)
        case .stillPhase: ("Duration of the phases of a still: open, settle, wait, encode, store.", Self.stillTimes)
        case .stillAge:
            ("Age of a picture when delivered or stored, since the start of its exposure.", Self.stillTimes)
        case .driverCall: ("Duration of completed driver calls.", Self.callTimes)
        case .requests: ("Requests, by operation of the contract.", nil)
        case .errors: ("Requests answered with a problem, by code.", nil)
        case .connections: ("Open connections.", nil)
        case .refusedConnections: ("Connections refused because there were too many.", nil)
        case .eventClients: ("Clients of the event stream.", nil)
        case .hooks: ("Hook runs, by result: ok, failed, late or not-started.", nil)
        case .jobFailures:
            ("Failed uploads, by rule or job and reason: picture, refused (for good), batch or fatal.", nil)
        case .waitingStills: ("Pictures waiting for the disk of a spool, or being written.", nil)
        }
    }
}

struct StillMetrics: Sendable {
    private let camera: String
    private let phases: [(timer: Timer, path: any KeyPath<StillPhases, Milliseconds> & Sendable)]
    private let age: Timer

    init(camera: String) {
        self.camera = camera
        let all: [(String, any KeyPath<StillPhases, Milliseconds> & Sendable)] = [
            ("open", \.open), ("settle", \.settle), ("wait", \.wait), ("encode", \.encode), ("store", \.store),
        ]
        phases = all.map { name, path in
            (Timer(label: MetricName.stillPhase.rawValue, dimensions: [("camera", camera), ("phase", name)]), path)
        }
        age = Timer(label: MetricName.stillAge.rawValue, dimensions: [("camera", camera)])
    }

    func recordTaken(_ record: StillRecord) {
        count("ok")
        for (timer, path) in phases {
            guard let time = record.phasesMs?[keyPath: path].duration, time > .zero else { continue }
            timer.recordNanoseconds(time.nanosecondCount)
        }
        if let time = record.ageMs { age.recordNanoseconds(time.duration.nanosecondCount) }
    }

    func failed(_ code: ProblemCode) { count(code.rawValue) }

    private func count(_ result: String) {
        Counter(label: MetricName.stills.rawValue, dimensions: [("camera", camera), ("result", result)]).increment()
    }
}
