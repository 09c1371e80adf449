// SPDX-License-Identifier: Apache-2.0
internal import TintypeAPI
internal import TintypeModel
internal import TintypeSystem

enum StatusMetrics {
    private typealias Label = (name: String, value: String)

    private static func sample(_ camera: CameraStatus, _ value: Double, _ more: Label...) -> MetricFamily.Sample {
        .init([("camera", camera.name)] + more, .number(value))
    }

    static func families(of cameras: [CameraStatus]) -> [MetricFamily] {
        func gauge(_ name: String, _ help: String, _ value: (CameraStatus) -> Double?) -> MetricFamily {
            MetricFamily(name, .gauge, help, cameras.compactMap { camera in value(camera).map { sample(camera, $0) } })
        }
        func count(_ name: String, _ help: String, _ path: KeyPath<CameraCounters, UInt64>) -> MetricFamily {
            MetricFamily(name, .counter, help, cameras.map { sample($0, Double($0.counters[keyPath: path])) })
        }
        let drops = cameras.flatMap { camera in
            dropped.map { sample(camera, Double(camera.counters[keyPath: $0.path]), ("reason", $0.reason)) }
        }
        let dropHelp = "Frames lost before any client saw them: skipped by the driver, damaged, or superseded."
        let states = cameras.flatMap { camera in
            SessionState.Name.allCases.map { name in
                sample(camera, camera.state.name == name ? 1 : 0, ("state", name.rawValue))
            }
        }
        let stuck = cameras.compactMap { camera in
            camera.stuckCall.map { sample(camera, seconds($0.runningMs), ("call", $0.name)) }
        }
        let alarms = cameras.flatMap { camera in
            (camera.alarms ?? []).map { sample(camera, $0.since == nil ? 0 : 1, ("alarm", $0.alarm.rawValue)) }
        }
        let stuckHelp = "Duration of a driver call that has been running for more than a second."
        return [
            count("tintype_frames_captured_total", "Frames captured from the driver.", \.captured),
            MetricFamily("tintype_frames_dropped_total", .counter, dropHelp, drops),
            count("tintype_frames_encoded_total", "Pictures encoded, or copied from a JPEG camera.", \.encoded),
            count("tintype_frames_streamed_total", "Pictures sent to live streams.", \.streamed),
            count("tintype_frames_published_total", "Frames stored by schedules.", \.published),
            count("tintype_slots_missed_total", "Slots of schedules without a picture.", \.missedSlots),
            count("tintype_camera_openings_total", "Times the device was opened.", \.opened),
            count("tintype_camera_interruptions_total", "Failures of the stream or of an opening.", \.interrupted),
            count("tintype_camera_gaps_total", "Times the stream was interrupted for the largest still.", \.gaps),
            MetricFamily("tintype_camera_state", .gauge, "1 for the current state of the camera, else 0.", states),
            gauge("tintype_camera_present", "1 if the device is present and the daemon has access to it, else 0.") {
                $0.authorization == .authorized ? 1 : 0
            },
            MetricFamily("tintype_camera_stuck_call_seconds", .gauge, stuckHelp, stuck),
            gauge("tintype_camera_frame_age_seconds", "Age of the last good frame.") { $0.lastFrameAgeMs.map(seconds) },
            gauge("tintype_camera_frames_per_second", "Frame rate of the camera.") { $0.framesPerSecond },
            gauge("tintype_camera_waiting_requests", "Requests waiting for a frame.") { Double($0.waiting) },
            gauge("tintype_camera_streams", "Clients of live streams.") { Double($0.streams?.count ?? 0) },
            gauge("tintype_camera_holds", "Leases on the camera.") { Double($0.holds.count) },
            gauge("tintype_camera_motion", "1 during motion, else 0.") { $0.motion.map { $0.isMoving ? 1 : 0 } },
            MetricFamily("tintype_camera_alarm", .gauge, "1 during an alarm of the camera, else 0.", alarms),
            gauge("tintype_camera_ring_bytes", "Memory used by past frames.") { $0.ring.map { Double($0.bytes) } },
        ]
    }

    private static let dropped: [(reason: String, path: any KeyPath<CameraCounters, UInt64> & Sendable)] = [
        ("sequence-gap", \.sequenceGaps), ("flagged", \.flagged), ("short", \.short), ("superseded", \.superseded),
        ("corrupt", \.corrupt),
    ]

    private static func seconds(_ time: Milliseconds) -> Double { time.duration / .seconds(1) }

    static func families(of spools: [SpoolReport]) -> [MetricFamily] {
        func each(_ name: String, _ help: String, _ value: (SpoolReport) -> Int?) -> MetricFamily {
            let samples = spools.compactMap { spool in
                value(spool).map { MetricFamily.Sample([("spool", spool.spool)], .number(Double($0))) }
            }
            return MetricFamily(name, .gauge, help, samples)
        }
        return [
            each("tintype_spool_available", "1 if pictures can be stored, else 0.") {
                $0.state == .available ? 1 : 0
            },
            each("tintype_spool_frames", "Frames in the spool.") { $0.statistics?.total.frames },
            each("tintype_spool_bytes", "Size of the pictures in the spool.") { $0.statistics?.total.bytes },
            each("tintype_spool_lost_frames", "Frames with missing files.") { $0.statistics?.total.lost },
            each("tintype_spool_free_bytes", "Free space of the file system.") { $0.room?.freeBytes },
            each("tintype_spool_size_bytes", "Size of the file system.") { $0.room?.totalBytes },
        ]
    }

    static func families(of hooks: [HookStatus]) -> [MetricFamily] {
        func each(_ name: String, _ help: String, _ value: (HookStatus) -> Double) -> MetricFamily {
            MetricFamily(name, .gauge, help, hooks.map { .init([("hook", $0.name)], .number(value($0))) })
        }
        return [
            each("tintype_hook_waiting_events", "Events that wait for a hook.") { Double($0.waiting) },
            each("tintype_hook_waiting_seconds", "Age of the oldest event that waits for a hook, else 0.") {
                $0.waitingMs.map(seconds) ?? 0
            },
        ]
    }

    /// Jobs that are open, and all rules.
    static func families(of jobs: [Job], at now: Timestamp) -> [MetricFamily] {
        let jobs = jobs.filter { $0.rule != nil || $0.state.isOpen }
        func each(
            _ name: String,
            _ kind: MetricFamily.Kind,
            _ help: String,
            _ value: (Job) -> Double?
        ) -> MetricFamily {
            let samples = jobs.compactMap { job in
                value(job).map { MetricFamily.Sample([("upload", job.label), ("spool", job.spool)], .number($0)) }
            }
            return MetricFamily(name, kind, help, samples)
        }
        return [
            each("tintype_job_waiting_pictures", .gauge, "Pictures that wait for their upload.") { Double($0.waiting) },
            each("tintype_job_waiting_seconds", .gauge, "Age of the oldest picture that waits, else 0.") {
                $0.oldest.map { max(0, (now - $0) / .seconds(1)) } ?? 0
            },
            each("tintype_job_uploaded_pictures_total", .counter, "Uploaded pictures.") { Double($0.done) },
            each("tintype_job_uploaded_bytes_total", .counter, "Bytes of uploaded pictures.") { Double($0.bytes) },
            each("tintype_job_lost_pictures_total", .counter, "Pictures deleted before their upload.") {
                Double($0.lost)
            },
            each("tintype_job_last_success_timestamp_seconds", .gauge, "Time of the last upload since 1970.") {
                $0.lastSuccess.map { Double($0.microseconds) / 1e6 }
            },
        ]
    }

    static func families(of health: Health) -> [MetricFamily] {
        let levels = Health.Level.allCases.map { level in
            MetricFamily.Sample([("level", level.rawValue)], .number(health.status == level ? 1 : 0))
        }
        let reasons = (health.reasons ?? []).map { reason in
            [("code", reason.code.rawValue), ("camera", reason.camera ?? ""), ("spool", reason.spool ?? "")]
        }
        var samples: [MetricFamily.Sample] = []
        // Two schedules of a camera can have the same reason.
        for labels in reasons where !samples.contains(where: { $0.labels.elementsEqual(labels, by: ==) }) {
            samples.append(.init(labels.map { ($0.0, $0.1) }, .number(1)))
        }
        let build = [MetricFamily.Sample([("version", health.version)], .number(1))]
        return [
            MetricFamily("tintype_health", .gauge, "1 for the current health of the daemon, else 0.", levels),
            MetricFamily("tintype_health_reason", .gauge, "1 for each reason reported by /healthz.", samples),
            MetricFamily("tintype_build_info", .gauge, "Version of the daemon.", build),
        ]
    }
}

struct Metrics: Sendable {
    /// Slower spools have no statistics in this scrape.
    private static let timeLimit = Duration.seconds(1)

    let version: String
    let cameras: any CameraService
    let frames: any FrameService
    let hooks: Hooks
    let jobs: JobScheduler
    let registry: MetricsRegistry

    func families() async -> [MetricFamily] {
        async let spools = frames.spools(within: Self.timeLimit)
        let cameras = await cameras.cameras()
        let health = Health(version: version, cameras: cameras, spools: await spools, jobs: jobs.conditions())
        let ofJobs = StatusMetrics.families(of: jobs.known, at: jobs.clock.wall)
        return StatusMetrics.families(of: health) + StatusMetrics.families(of: cameras)
            + StatusMetrics.families(of: await spools) + StatusMetrics.families(of: hooks.hooks())
            + ofJobs + registry.families + ProcessMetrics.families
    }
}
