// SPDX-License-Identifier: Apache-2.0

/// What is measured where it happens, by swift-metrics: the label that it has there, and its name for Prometheus.
package enum MetricName: String, CaseIterable, Sendable {
    /// Stills by `camera` and `result`.
    case stills = "tintype_stills_total"
    /// What stills took, by `camera` and `phase`.
    case stillPhase = "tintype_still_phase_seconds"
    /// How old pictures were, by `camera`.
    case stillAge = "tintype_still_age_seconds"
    /// What driver calls took, by `camera` and `call`.
    case driverCall = "tintype_driver_call_seconds"
    /// Requests by `operation`.
    case requests = "tintype_requests_total"
    /// Problems that clients were told, by `code`.
    case errors = "tintype_errors_total"
    /// Connections that are served.
    case connections = "tintype_connections"
    /// Connections that were refused.
    case refusedConnections = "tintype_connections_refused_total"
    /// Clients that are told of events.
    case eventClients = "tintype_event_clients"
    /// What came of hooks, by `hook` and `result`.
    case hooks = "tintype_hooks_total"
    /// Pictures that wait for a disk, by `spool`.
    case waitingStills = "tintype_spool_waiting_stills"
}
