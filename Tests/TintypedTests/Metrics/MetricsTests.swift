// SPDX-License-Identifier: Apache-2.0
import CoreMetrics
import Testing
import TintypeAPI
import TintypeModel

@testable import tintyped

struct MetricsTests {
    private static func family(_ name: String, of families: [MetricFamily]) throws -> MetricFamily {
        try #require(families.first { $0.name == name })
    }

    /// Values of a family by their label values.
    private static func numbers(_ name: String, of families: [MetricFamily]) throws -> [String: Double] {
        let samples = try family(name, of: families).samples.map { sample -> (String, Double) in
            guard case .number(let number) = sample.value else { return ("", .nan) }
            return (sample.labels.map(\.value).joined(separator: " "), number)
        }
        return Dictionary(uniqueKeysWithValues: samples)
    }

    @Test func `exports only recorded values of known metrics`() throws {
        let registry = MetricsRegistry()
        let label = "tintype_stills_total"
        let ok = Counter(label: label, dimensions: [("camera", "a"), ("result", "ok")], factory: registry)
        let other = Counter(label: label, dimensions: [("camera", "b"), ("result", "ok")], factory: registry)
        _ = Counter(label: label, dimensions: [("camera", "c"), ("result", "ok")], factory: registry)
        for _ in 0..<3 { ok.increment() }
        other.increment()
        // Another handle of the same counter.
        Counter(label: label, dimensions: [("camera", "b"), ("result", "ok")], factory: registry).increment()
        #expect(try Self.numbers(label, of: registry.families) == ["a ok": 3, "b ok": 2])
        let meter = Meter(label: "tintype_connections", factory: registry)
        meter.set(7)
        #expect(try Self.numbers("tintype_connections", of: registry.families) == ["": 7])
        // A metric without a help text is not exported.
        Counter(label: "somebody_elses_total", factory: registry).increment()
        #expect(registry.families.map(\.name) == MetricName.allCases.map(\.rawValue))
    }

    @Test func `records durations in buckets of seconds`() throws {
        let registry = MetricsRegistry()
        let labels = [("camera", "a"), ("call", "VIDIOC_DQBUF")]
        let timer = Timer(label: "tintype_driver_call_seconds", dimensions: labels, factory: registry)
        for nanoseconds: Int64 in [5_000, 50_000, 2_000_000_000, 60_000_000_000] {
            timer.recordNanoseconds(nanoseconds)
        }
        let sample = try #require(try Self.family("tintype_driver_call_seconds", of: registry.families).samples.first)
        guard case .histogram(let histogram) = sample.value else {
            Issue.record("no histogram")
            return
        }
        #expect(histogram.bounds == [0.000_01, 0.000_1, 0.001, 0.01, 0.1, 1, 10])
        #expect(histogram.counts == [1, 1, 0, 0, 0, 0, 1, 1])
        #expect(abs(histogram.sum - 62.000055) < 1e-9)
    }

    @Test func `exports the status of a camera`() throws {
        var camera = CameraStatus(name: "yard", identity: nil, authorization: .authorized, state: .running)
        camera.counters.captured = 10
        camera.counters.flagged = 2
        camera.lastFrameAgeMs = Milliseconds(.milliseconds(1500))
        camera.stuckCall = .init(name: "VIDIOC_QBUF", runningMs: Milliseconds(.seconds(3)))
        camera.alarms = [AlarmStatus(.noPicture), AlarmStatus(.black, since: Timestamp(microseconds: 0))]
        let families = StatusMetrics.families(of: [camera])
        #expect(try Self.numbers("tintype_frames_captured_total", of: families) == ["yard": 10])
        let dropped = try Self.numbers("tintype_frames_dropped_total", of: families)
        #expect(dropped["yard flagged"] == 2 && dropped["yard corrupt"] == 0 && dropped.count == 5)
        let states = try Self.numbers("tintype_camera_state", of: families)
        #expect(states["yard running"] == 1 && states.values.reduce(0, +) == 1)
        #expect(states.count == SessionState.Name.allCases.count)
        #expect(try Self.numbers("tintype_camera_frame_age_seconds", of: families) == ["yard": 1.5])
        #expect(try Self.numbers("tintype_camera_stuck_call_seconds", of: families) == ["yard VIDIOC_QBUF": 3])
        #expect(try Self.numbers("tintype_camera_alarm", of: families) == ["yard noPicture": 0, "yard black": 1])
        #expect(try Self.numbers("tintype_camera_frames_per_second", of: families).isEmpty)
    }

    @Test func `exports jobs that are open and all rules, by rule or id`() throws {
        let time = Timestamp(microseconds: 100_000_000)
        func job(_ id: String, _ rule: String?, _ state: JobState) -> Job {
            var job = Job(id: id, rule: rule, spool: "default", source: "all()", target: "s3:b", createdAt: time)
            (job.state, job.waiting, job.done, job.bytes, job.lost) = (state, 3, 4, 50, 2)
            return job
        }
        var rule = job("r", "cloud", .failed)
        (rule.oldest, rule.lastSuccess) = (time, time)
        let jobs = [rule, job("a", nil, .paused), job("b", nil, .done)]
        let families = StatusMetrics.families(of: jobs, at: time + .seconds(9))
        let both = ["cloud default", "a default"]
        func numbers(_ name: String) throws -> [String: Double] {
            try Self.numbers("tintype_job_\(name)", of: families)
        }
        #expect(try numbers("waiting_pictures") == [both[0]: 3, both[1]: 3])
        #expect(try numbers("waiting_seconds") == [both[0]: 9, both[1]: 0])
        #expect(try numbers("uploaded_pictures_total") == [both[0]: 4, both[1]: 4])
        #expect(try numbers("uploaded_bytes_total") == [both[0]: 50, both[1]: 50])
        #expect(try numbers("lost_pictures_total") == [both[0]: 2, both[1]: 2])
        #expect(try numbers("last_success_timestamp_seconds") == [both[0]: 100])
    }

    @Test func `exports each health reason once`() throws {
        let reason = HealthReason(.notPublished, camera: "yard", "It is so.", remedy: "Change it.")
        let health = Health(status: .degraded, version: "1.2", reasons: [reason, reason])
        let families = StatusMetrics.families(of: health)
        #expect(try Self.numbers("tintype_health", of: families) == ["ok": 0, "degraded": 1, "failing": 0])
        #expect(try Self.numbers("tintype_health_reason", of: families) == ["not-published yard ": 1])
        #expect(try Self.numbers("tintype_build_info", of: families) == ["1.2": 1])
    }

    @Test func `exports the events that wait for a hook`() throws {
        var behind = HookStatus(name: "upload", kinds: [.frameStored], cameras: nil, command: ["/bin/true"])
        (behind.waiting, behind.waitingMs) = (3, Milliseconds(.milliseconds(1500)))
        let idle = HookStatus(name: "notify", kinds: [.cameraLost], cameras: nil, command: ["/bin/true"])
        let families = StatusMetrics.families(of: [behind, idle])
        #expect(try Self.numbers("tintype_hook_waiting_events", of: families) == ["upload": 3, "notify": 0])
        #expect(try Self.numbers("tintype_hook_waiting_seconds", of: families) == ["upload": 1.5, "notify": 0])
    }

    @Test func `exports the kernel's values for the process`() throws {
        let families = ProcessMetrics.families
        #expect(families.allSatisfy { $0.samples.count == 1 })
        let memory = try Self.numbers("process_resident_memory_bytes", of: families)[""]
        #expect(try #require(memory) > 1_000_000)
        let open = try #require(try Self.numbers("process_open_fds", of: families)[""])
        #expect(try #require(try Self.numbers("process_max_fds", of: families)[""]) >= open && open > 2)
        let time = try #require(try Self.numbers("process_start_time_seconds", of: families)[""])
        let now = Double(Timestamp.now().microseconds) / 1e6
        #expect(time < now + 1 && time > now - 86_400)
    }

    @Test func `names and help texts follow the Prometheus conventions`() {
        let camera = CameraStatus(name: "yard", identity: nil, authorization: .authorized, state: .off)
        let families =
            StatusMetrics.families(of: [camera]) + StatusMetrics.families(of: Health(version: "1"))
            + StatusMetrics.families(of: [SpoolReport]()) + StatusMetrics.families(of: [HookStatus]())
            + MetricsRegistry().families + ProcessMetrics.families
        #expect(Set(families.map(\.name)).count == families.count)
        for family in families {
            #expect((family.kind == .counter) == family.name.hasSuffix("_total"), "\(family.name)")
            #expect(family.name.wholeMatch(of: /(tintype|process)(_[a-z]+)+/) != nil, "\(family.name)")
            #expect(family.help.hasSuffix(".") && !family.help.contains("\n"), "\(family.name)")
        }
    }
}
