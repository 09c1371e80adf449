// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Glibc
internal import TintypeAPI
internal import TintypeModel
internal import TintypeSystem

/// Families with a sample for each item, and the labels of the items.
private struct Families<Item> {
    let items: [Item]
    let labels: (Item) -> [(name: String, value: String)]

    /// A counter if the name ends with `_total`, else a gauge; items without a value have no sample.
    func each(_ name: String, _ help: String, _ value: (Item) -> Double?) -> MetricFamily {
        each(name, help, by: "") { item in value(item).map { [("", $0)] } ?? [] }
    }

    /// Several samples for each item, with a label of their own.
    func each(
        _ name: String,
        _ help: String,
        by label: String,
        _ values: (Item) -> [(label: String, value: Double)]
    ) -> MetricFamily {
        let samples = items.flatMap { item in
            values(item).map { own, value in
                MetricFamily.Sample(labels(item) + (label.isEmpty ? [] : [(label, own)]), .number(value))
            }
        }
        return MetricFamily(name, name.hasSuffix("_total") ? .counter : .gauge, help, samples)
    }
}

enum StatusMetrics {
    static func families(of cameras: [CameraStatus]) -> [MetricFamily] {
        let all = Families(items: cameras) { [("camera", $0.name)] }
        func count(_ name: String, _ help: String, _ path: KeyPath<CameraCounters, UInt64>) -> MetricFamily {
            all.each(name, help) { Double($0.counters[keyPath: path]) }
        }
        let dropHelp = "Frames lost before any client saw them: skipped by the driver, damaged, or superseded."
        let stuckHelp = "Duration of a driver call that has been running for more than a second."
        return [
            count("tintype_frames_captured_total", "Frames captured from the driver.", \.captured),
            all.each("tintype_frames_dropped_total", dropHelp, by: "reason") { camera in
                let counters = camera.counters
                return [
                    ("sequence-gap", counters.sequenceGaps), ("flagged", counters.flagged), ("short", counters.short),
                    ("superseded", counters.superseded), ("corrupt", counters.corrupt),
                ].map { ($0.0, Double($0.1)) }
            },
            count("tintype_frames_encoded_total", "Pictures encoded, or copied from a JPEG camera.", \.encoded),
            count("tintype_frames_streamed_total", "Pictures sent to live streams.", \.streamed),
            count("tintype_frames_published_total", "Frames stored by schedules.", \.published),
            count("tintype_slots_missed_total", "Slots of schedules without a picture.", \.missedSlots),
            count("tintype_camera_openings_total", "Times the device was opened.", \.opened),
            count("tintype_camera_interruptions_total", "Failures of the stream or of an opening.", \.interrupted),
            count("tintype_camera_gaps_total", "Times the stream was interrupted for the largest still.", \.gaps),
            all.each("tintype_camera_state", "1 for the current state of the camera, else 0.", by: "state") { camera in
                SessionState.Name.allCases.map { ($0.rawValue, camera.state.name == $0 ? 1 : 0) }
            },
            all.each("tintype_camera_present", "1 if the device is present and the daemon has access to it, else 0.") {
                $0.authorization == .authorized ? 1 : 0
            },
            all.each("tintype_camera_stuck_call_seconds", stuckHelp, by: "call") { camera in
                camera.stuckCall.map { [($0.name, seconds($0.runningMs))] } ?? []
            },
            all.each("tintype_camera_frame_age_seconds", "Age of the last good frame.") {
                $0.lastFrameAgeMs.map(seconds)
            },
            all.each("tintype_camera_frames_per_second", "Frame rate of the camera.") { $0.framesPerSecond },
            all.each("tintype_camera_waiting_requests", "Requests waiting for a frame.") { Double($0.waiting) },
            all.each("tintype_camera_streams", "Clients of live streams.") { Double($0.streams?.count ?? 0) },
            all.each("tintype_camera_holds", "Leases on the camera.") { Double($0.holds.count) },
            all.each("tintype_camera_motion", "1 during motion, else 0.") { $0.motion.map { $0.isMoving ? 1 : 0 } },
            all.each("tintype_camera_alarm", "1 during an alarm of the camera, else 0.", by: "alarm") { camera in
                (camera.alarms ?? []).map { ($0.alarm.rawValue, $0.since == nil ? 0 : 1) }
            },
            all.each("tintype_camera_ring_bytes", "Memory used by past frames.") { $0.ring.map { Double($0.bytes) } },
        ]
    }

    private static func seconds(_ time: Milliseconds) -> Double { time.duration / .seconds(1) }

    static func families(of spools: [SpoolReport]) -> [MetricFamily] {
        let all = Families(items: spools) { [("spool", $0.spool)] }
        func each(_ name: String, _ help: String, _ value: (SpoolReport) -> Int?) -> MetricFamily {
            all.each("tintype_spool_\(name)", help) { value($0).map { Double($0) } }
        }
        return [
            each("available", "1 if pictures can be stored, else 0.") { $0.state == .available ? 1 : 0 },
            each("frames", "Frames in the spool.") { $0.statistics?.total.frames },
            each("bytes", "Size of the pictures in the spool.") { $0.statistics?.total.bytes },
            each("lost_frames", "Frames with missing files.") { $0.statistics?.total.lost },
            each("free_bytes", "Free space of the file system.") { $0.room?.freeBytes },
            each("size_bytes", "Size of the file system.") { $0.room?.totalBytes },
        ]
    }

    static func families(of hooks: [HookStatus]) -> [MetricFamily] {
        let all = Families(items: hooks) { [("hook", $0.name)] }
        return [
            all.each("tintype_hook_waiting_events", "Events that wait for a hook.") { Double($0.waiting) },
            all.each("tintype_hook_waiting_seconds", "Age of the oldest event that waits for a hook, else 0.") {
                $0.waitingMs.map(seconds) ?? 0
            },
        ]
    }

    /// Jobs that are open, and all rules.
    static func families(of jobs: [Job], at now: Timestamp) -> [MetricFamily] {
        let shown = jobs.filter { $0.rule != nil || $0.state.isOpen }
        let all = Families(items: shown) { [("upload", $0.label), ("spool", $0.spool)] }
        return [
            all.each("tintype_job_waiting_pictures", "Pictures that wait for their upload.") { Double($0.waiting) },
            all.each("tintype_job_waiting_seconds", "Age of the oldest picture that waits, else 0.") {
                $0.oldest.map { max(0, (now - $0) / .seconds(1)) } ?? 0
            },
            all.each("tintype_job_uploaded_pictures_total", "Uploaded pictures.") { Double($0.done) },
            all.each("tintype_job_uploaded_bytes_total", "Bytes of uploaded pictures.") { Double($0.bytes) },
            all.each("tintype_job_lost_pictures_total", "Pictures deleted before their upload.") { Double($0.lost) },
            all.each("tintype_job_last_success_timestamp_seconds", "Time of the last upload since 1970.") {
                $0.lastSuccess.map { Double($0.microseconds) / 1e6 }
            },
        ]
    }

    static func families(of health: Health) -> [MetricFamily] {
        let one = Families(items: [health]) { _ in [] }
        // Two schedules of a camera can have the same reason.
        let labels = Set((health.reasons ?? []).map { [$0.code.rawValue, $0.camera ?? "", $0.spool ?? ""] })
        let reasons = labels.sorted { $0.lexicographicallyPrecedes($1) }.map { labels in
            MetricFamily.Sample(Array(zip(["code", "camera", "spool"], labels)).map { ($0, $1) }, .number(1))
        }
        return [
            one.each("tintype_health", "1 for the current health of the daemon, else 0.", by: "level") { health in
                Health.Level.allCases.map { ($0.rawValue, health.status == $0 ? 1 : 0) }
            },
            MetricFamily("tintype_health_reason", .gauge, "1 for each reason reported by /healthz.", reasons),
            one.each("tintype_build_info", "Version of the daemon.", by: "version") { [($0.version, 1)] },
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
    var registry = MetricsRegistry.ofProcess

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

/// Resource usage of the process from proc(5), under the standard names of Prometheus.
enum ProcessMetrics {
    static var families: [MetricFamily] {
        let process = Families(items: [fields]) { _ in [] }
        let (page, limit) = (Double(sysconf(CInt(_SC_PAGESIZE))), Double(DescriptorLimit.openFiles))
        return [
            process.each("process_cpu_seconds_total", "User and system CPU time.") { fields in
                fields[14].flatMap { user in fields[15].map { (user + $0) / ticks } }
            },
            process.each("process_resident_memory_bytes", "Resident memory.") { $0[24].map { $0 * page } },
            process.each("process_virtual_memory_bytes", "Virtual memory.") { $0[23] },
            process.each("process_threads", "Number of threads.") { $0[20] },
            process.each("process_open_fds", "Open file descriptors.") { _ in openDescriptors },
            process.each("process_max_fds", "Maximum number of open file descriptors.") { _ in limit },
            process.each("process_start_time_seconds", "Start time since 1970.") { startTime($0[22]) },
        ]
    }

    /// By their numbers in proc(5).
    private static var fields: [Int: Double] {
        guard let text = read("/proc/self/stat"), let end = text.lastIndex(of: ")") else { return [:] }
        let fields = text[text.index(after: end)...].split(separator: " ")
        let numbers = fields.enumerated().compactMap { place, field in Double(field).map { (place + 3, $0) } }
        return Dictionary(uniqueKeysWithValues: numbers)
    }

    private static var openDescriptors: Double? {
        // Without the descriptor of the listed folder itself.
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")).map { Double($0.count - 1) }
    }

    private static func startTime(_ sinceBoot: Double?) -> Double? {
        let name = "btime "
        let line = read("/proc/stat")?.split(separator: "\n").first { $0.hasPrefix(name) }
        guard let sinceBoot, let boot = line.flatMap({ Double($0.dropFirst(name.count)) }) else { return nil }
        return boot + sinceBoot / ticks
    }

    private static var ticks: Double { Double(sysconf(CInt(_SC_CLK_TCK))) }
    private static func read(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
