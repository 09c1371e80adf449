// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import Synchronization
internal import TintypeAPI
internal import TintypeModel

/// Backend of swift-metrics for the metrics of ``MetricName``; any thread, never blocks.
final class MetricsRegistry: MetricsFactory {
    typealias Labels = [(String, String)]

    private static let none = NOOPMetricsHandler.instance

    private struct Key: Hashable {
        let name: MetricName
        let dimensions: [String]
    }

    private struct Kept {
        let series: MetricSeries
        let labels: [(name: String, value: String)]
        let name: MetricName
    }

    /// Bootstraps swift-metrics on first use.
    static let ofProcess: MetricsRegistry = {
        let registry = MetricsRegistry()
        MetricsSystem.bootstrap(registry)
        return registry
    }()

    private let state = Mutex<(index: [Key: Int], kept: [Kept])>(([:], []))

    /// Series without a measurement are left out.
    var families: [MetricFamily] {
        let kept = state.withLock(\.kept)
        return MetricName.allCases.map { name in
            let samples = kept.filter { $0.name == name }.compactMap { one in
                one.series.measured.map { MetricFamily.Sample(one.labels, $0) }
            }
            return MetricFamily(name.rawValue, name.type.kind, name.help, samples)
        }
    }

    private func series(_ label: String, _ dimensions: Labels) -> MetricSeries? {
        guard let name = MetricName(rawValue: label) else { return nil }
        let key = Key(name: name, dimensions: dimensions.flatMap { [$0.0, $0.1] })
        return state.withLock { state in
            if let index = state.index[key] { return state.kept[index].series }
            let series = MetricSeries(bounds: name.type.bounds)
            state.index[key] = state.kept.count
            state.kept.append(Kept(series: series, labels: dimensions.map { ($0.0, $0.1) }, name: name))
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
    private struct State {
        var value: MetricValue
        var isMeasured = false
    }

    private let state: Mutex<State>

    init(bounds: [Double]?) {
        let value = bounds.map { MetricValue.histogram(MetricHistogram(bounds: $0)) } ?? .number(0)
        state = Mutex(State(value: value))
    }

    /// Nil before the first measurement.
    var measured: MetricValue? { state.withLock { $0.isMeasured ? $0.value : nil } }

    private func update(_ change: (Double) -> Double) {
        state.withLock { state in
            state.isMeasured = true
            if case .number(let number) = state.value { state.value = .number(change(number)) }
        }
    }

    func increment(by amount: Int64) { update { $0 + Double(amount) } }
    func reset() { update { _ in 0 } }
    func set(_ value: Int64) { update { _ in Double(value) } }
    func set(_ value: Double) { update { _ in value } }
    func increment(by amount: Double) { update { $0 + amount } }
    func decrement(by amount: Double) { update { $0 - amount } }

    func recordNanoseconds(_ duration: Int64) {
        state.withLock { state in
            guard case .histogram(var histogram) = state.value else { return }
            // Avoids a copy by making the histogram uniquely referenced.
            state.value = .number(0)
            histogram.observe(Double(duration) / 1e9)
            state.value = .histogram(histogram)
            state.isMeasured = true
        }
    }
}

extension MetricName {
    /// Histogram bounds are in seconds; nil for counters and gauges.
    var type: (kind: MetricFamily.Kind, bounds: [Double]?) {
        switch self {
        case .stills, .requests, .errors, .refusedConnections, .hooks: (.counter, nil)
        case .connections, .eventClients, .waitingStills: (.gauge, nil)
        case .stillPhase, .stillAge:
            (.histogram, [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10])
        case .driverCall: (.histogram, [0.000_01, 0.000_1, 0.001, 0.01, 0.1, 1, 10])
        }
    }

    var help: String {
        switch self {
        case .stills: "Stills requested by clients and schedules, by result: ok or a problem code."
        case .stillPhase: "Duration of the phases of a still: open, settle, wait, encode, store."
        case .stillAge: "Age of a picture when delivered or stored, since the start of its exposure."
        case .driverCall: "Duration of completed driver calls."
        case .requests: "Requests, by operation of the contract."
        case .errors: "Requests answered with a problem, by code."
        case .connections: "Open connections."
        case .refusedConnections: "Connections refused because there were too many."
        case .eventClients: "Clients of the event stream."
        case .hooks: "Hook runs, by result: ok, failed, late or not-started."
        case .waitingStills: "Pictures waiting for the disk of a spool, or being written."
        }
    }
}
