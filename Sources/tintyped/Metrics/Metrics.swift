// SPDX-License-Identifier: Apache-2.0
internal import TintypeControl
internal import TintypeModel

/// All that the daemon measures: what its parts have measured by swift-metrics, and what their status says.
struct Metrics: MetricsService {
    /// A spool that takes longer has no statistics this time.
    private static let timeLimit = Duration.seconds(1)

    let version: String
    let cameras: any CameraService
    let frames: any FrameService
    let registry: MetricsRegistry

    func families() async -> [MetricFamily] {
        async let spools = frames.spools(within: Self.timeLimit)
        let cameras = await cameras.cameras()
        let health = Health(version: version, cameras: cameras, spools: await spools)
        return StatusMetrics.families(of: health) + StatusMetrics.families(of: cameras)
            + StatusMetrics.families(of: await spools) + registry.families + ProcessMetrics.families
    }
}
