// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Reasons for keeping the camera open, and its latencies; not in the snapshot, so that one for each frame copies none.
struct WarmthReport: Sendable {
    var use = CameraUse()
    /// From the start of opening to the first good frame.
    var fromOff = LatencyHistory()
    /// From a request to its frame while the device is streaming.
    var fromRunning = LatencyHistory()
    /// From the first good frame to settled exposure and white balance.
    var settling = SettlingHistory()

    var latency: CameraLatency {
        CameraLatency(fromOff: fromOff.summary, fromRunning: fromRunning.summary, settling: settling.summary)
    }
}

/// The latest measurements of one kind of latency; memory is allocated once, at the first.
struct LatencyHistory: Sendable {
    static let length = 64

    private var newest: [Duration] = []

    mutating func add(_ latency: Duration) {
        if newest.isEmpty { newest.reserveCapacity(Self.length + 1) }
        newest.append(latency)
        if newest.count > Self.length { newest.removeFirst() }
    }

    /// Median and maximum; nil without measurements.
    var summary: CameraLatency.Summary? {
        let sorted = newest.sorted()
        guard let worst = sorted.last else { return nil }
        let middle = sorted.count / 2
        let median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        let (medianMs, worstMs) = (Milliseconds(median), Milliseconds(worst))
        return CameraLatency.Summary(count: sorted.count, medianMs: medianMs, worstMs: worstMs)
    }
}
