// SPDX-License-Identifier: Apache-2.0
internal import TintypeAPI
internal import TintypeModel

extension MetricName {
    /// Kind, and histogram bounds in seconds, nil for counters and gauges.
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
