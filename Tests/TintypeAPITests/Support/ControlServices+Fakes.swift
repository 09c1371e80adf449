// SPDX-License-Identifier: Apache-2.0
import TintypeAPI
import TintypeModel
import TintypeSystem

struct FakeMetrics {
    var all: [MetricFamily] = []

    func families() async -> [MetricFamily] { all }
}

struct FakeReload {
    var refusal: Problem?

    func reload() async throws(Problem) -> ReloadReport {
        if let refusal { throw refusal }
        var report = ReloadReport()
        (report.kept, report.changed) = (["yard"], ["door"])
        return report
    }
}

struct FakeHooks {
    func hooks() -> [HookStatus] {
        var hook = HookStatus(name: "notify", kinds: [.cameraLost], cameras: ["yard"], command: ["/bin/notify", "-q"])
        var event = Event(.cameraLost, "")
        event.id = 7
        hook.add(
            HookResult(
                of: event,
                at: Timestamp(microseconds: 1_000_000),
                took: .seconds(2),
                attempts: 4,
                outcome: .failed,
                detail: "It ended with 3."
            )
        )
        (hook.waiting, hook.waitingMs) = (3, Milliseconds(.seconds(12)))
        return [hook]
    }
}

extension ControlServices {
    static func fakes(
        _ cameras: FakeCameras = FakeCameras(),
        _ frames: FakeFrames = FakeFrames(),
        _ events: FakeEvents = FakeEvents(),
        metrics: FakeMetrics = FakeMetrics(),
        reload: FakeReload = FakeReload(),
        jobs: FakeJobs = FakeJobs(),
        access: AccessPolicy = AccessPolicy(AccessRules(nil)),
        clock: any MonotonicClock = .system
    ) -> ControlServices {
        ControlServices(
            version: "1.2.3",
            cameras: cameras,
            frames: frames,
            events: events,
            metrics: metrics.families,
            reload: reload.reload,
            hooks: FakeHooks().hooks,
            jobs: jobs,
            access: access,
            clock: clock
        )
    }
}
