// SPDX-License-Identifier: Apache-2.0
internal import ServiceLifecycle
internal import TintypeModel
internal import TintypeSystem

/// Polls the health of the daemon, emits events on changes, and passes on camera status.
struct HealthWatch: Service {
    static let pause = Duration.seconds(2)

    let clock: any MonotonicClock
    /// Does not open cameras.
    let cameras: @Sendable () async -> [CameraStatus]
    /// Does not wait for a disk.
    let health: @Sendable ([CameraStatus]) -> Health
    let tell: EventSink
    var publish: @Sendable ([CameraStatus]) -> Void = { _ in }

    func run() async { await cancelWhenGracefulShutdown { await poll() } }

    private func poll() async {
        var events = HealthEvents()
        repeat {
            let cameras = await cameras()
            for event in events.events(for: health(cameras)) { tell(event) }
            publish(cameras)
        } while (try? await clock.sleep(for: Self.pause)) != nil
    }
}

/// The daemon counts as healthy initially.
struct HealthEvents {
    private var reported: Set<[String?]> = []

    mutating func events(for health: Health) -> [Event] {
        let reasons = health.reasons ?? []
        let causes = reasons.map(\.cause)
        defer { reported = Set(causes) }
        guard reported != Set(causes) else { return [] }
        guard !reasons.isEmpty else { return [Event(.healthy, "Everything works again.")] }
        let low = zip(causes, reasons).filter { cause, reason in
            [.spoolLow, .spoolFull].contains(reason.code) && !reported.contains(cause)
        }
        let lows = low.map { _, reason in Event(.spoolLow, spool: reason.spool, reason.detail) }
        let details = reasons.map(\.detail).joined(separator: " ")
        var degraded = Event(.degraded, "The daemon is \(health.status.rawValue). \(details)")
        degraded.reasons = reasons
        return lows + [degraded]
    }
}
