// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import Synchronization
internal import TintypeAPI
internal import TintypeModel

/// Backend of swift-metrics for the metrics of ``MetricName``; any thread, never blocks.
final class MetricsRegistry: MetricsFactory {
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

    private func series(_ label: String, _ dimensions: [(String, String)]) -> MetricSeries? {
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

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        NOOPMetricsHandler.instance
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions) ?? NOOPMetricsHandler.instance
    }

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

    private func change(_ change: (Double) -> Double) {
        state.withLock { state in
            state.isMeasured = true
            if case .number(let number) = state.value { state.value = .number(change(number)) }
        }
    }

    func increment(by amount: Int64) { change { $0 + Double(amount) } }
    func reset() { change { _ in 0 } }
    func set(_ value: Int64) { change { _ in Double(value) } }
    func set(_ value: Double) { change { _ in value } }
    func increment(by amount: Double) { change { $0 + amount } }
    func decrement(by amount: Double) { change { $0 - amount } }

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
        case .stills:
            "Stills that were asked for, by schedules too, and what became of them: ok or the code of a problem."
        case .stillPhase:
            "What a still took: open, settle, wait, encode, store. A phase that was not needed is not counted."
        case .stillAge: "How old a picture was when it was handed over or stored, from the begin of its exposure."
        case .driverCall: "Calls of a camera's driver that have returned."
        case .requests: "Requests by operation, as the contract names it."
        case .errors: "Requests that were answered with a problem, by its code."
        case .connections: "Connections that are served."
        case .refusedConnections: "Connections that were refused, since there were too many."
        case .eventClients: "Clients that are told of events."
        case .hooks: "Events that hooks were run for, and what came of that: ok, failed, late or not-started."
        case .waitingStills: "Pictures that wait for the disk of a spool, or are being written."
        }
    }
}
