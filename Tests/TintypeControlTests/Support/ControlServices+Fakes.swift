// SPDX-License-Identifier: Apache-2.0
import TintypeControl

/// Measurements that a test gives.
struct FakeMetrics: MetricsService {
    var all: [MetricFamily] = []

    func families() async -> [MetricFamily] { all }
}

extension ControlServices {
    /// Services that are all faked.
    static func fakes(
        _ cameras: FakeCameras = FakeCameras(),
        _ frames: FakeFrames = FakeFrames(),
        _ events: FakeEvents = FakeEvents(),
        metrics: FakeMetrics = FakeMetrics()
    ) -> ControlServices {
        ControlServices(version: "1.2.3", cameras: cameras, frames: frames, events: events, metrics: metrics)
    }
}
