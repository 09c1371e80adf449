// SPDX-License-Identifier: Apache-2.0

/// Metrics recorded with swift-metrics; the raw value is the label there and the name for Prometheus.
package enum MetricName: String, CaseIterable, Sendable {
    /// Stills, by `camera` and `result`.
    case stills = "tintype_stills_total"
    /// Duration of the phases of stills, by `camera` and `phase`.
    case stillPhase = "tintype_still_phase_seconds"
    /// Age of pictures, by `camera`.
    case stillAge = "tintype_still_age_seconds"
    /// Duration of driver calls, by `camera` and `call`.
    case driverCall = "tintype_driver_call_seconds"
    /// Requests, by `operation`.
    case requests = "tintype_requests_total"
    /// Problems sent to clients, by `code`.
    case errors = "tintype_errors_total"
    case connections = "tintype_connections"
    case refusedConnections = "tintype_connections_refused_total"
    case eventClients = "tintype_event_clients"
    /// Hook results, by `hook` and `result`.
    case hooks = "tintype_hooks_total"
    /// Failed uploads, by `upload` and `reason`; the label `job` is of Prometheus.
    case jobFailures = "tintype_job_failures_total"
    /// Pictures waiting to be written, by `spool`.
    case waitingStills = "tintype_spool_waiting_stills"
}
