// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// What a session publishes of its warmth: why the camera is open, and what it costs in time when it is not.
///
/// Beside the snapshot and not in it, so that a snapshot per frame does not copy it.
struct WarmthReport: Sendable {
    /// What keeps the camera open though no client waits.
    var use = CameraUse()
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

/// The newest measurements of one kind of latency.
///
/// Its memory is allocated once, at the first measurement.
struct LatencyHistory: Sendable {
    /// The most measurements that are kept.
    static let length = 64

    private var newest: [Duration] = []

    /// Adds a measurement, in place of the oldest once there are ``length``.
    mutating func add(_ latency: Duration) {
        if newest.isEmpty { newest.reserveCapacity(Self.length + 1) }
        newest.append(latency)
        if newest.count > Self.length { newest.removeFirst() }
    }

    /// Median and worst; nil until something was measured.
    var summary: CameraLatency.Summary? {
        let sorted = newest.sorted()
        guard let worst = sorted.last else { return nil }
        let middle = sorted.count / 2
        let median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        let (medianMs, worstMs) = (Milliseconds(median), Milliseconds(worst))
        return CameraLatency.Summary(count: sorted.count, medianMs: medianMs, worstMs: worstMs)
    }
}
