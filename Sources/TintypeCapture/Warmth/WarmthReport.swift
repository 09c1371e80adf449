// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// What a session publishes of its warmth: why the camera is open, and what it costs in time when it is not.
///
/// Beside the snapshot and not in it, so that a snapshot per frame does not copy it.
struct WarmthReport: Sendable {
    var warmth = Warmth.linger(Warmth.defaultLinger)
    var isStarted = false
    var holds: [HoldTable.Hold] = []
    /// From the begin of an opening to the first good frame.
    var fromOff = LatencyHistory()
    /// From a request to its frame while the device streams.
    var fromRunning = LatencyHistory()
    /// From the first good frame to settled exposure and white balance.
    var settling = SettleHistory()

    var latency: CameraLatency {
        CameraLatency(fromOff: fromOff.summary, fromRunning: fromRunning.summary, settling: settling.summary)
    }
}
