// SPDX-License-Identifier: Apache-2.0
internal import TintypeSystem

/// The bounds of a request's body that a route reads.
struct BodyLimits: Sendable {
    var bytes: Int
    /// Time from the head of the request to the end of its body.
    let time: Duration
    /// Measures ``time``.
    let clock: any MonotonicClock
}
