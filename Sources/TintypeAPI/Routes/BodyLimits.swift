// SPDX-License-Identifier: Apache-2.0
internal import TintypeSystem

/// Limits for reading a request body.
struct BodyLimits: Sendable {
    var bytes: Int
    /// Time from the head of the request to the end of its body.
    let time: Duration
    let clock: any MonotonicClock
}
