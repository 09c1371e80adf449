// SPDX-License-Identifier: Apache-2.0
internal import TintypeAPI
internal import TintypeModel

enum StatusMetrics {
    private static func sample(
        _ camera: CameraStatus,
        _ value: Double,
        _ label: (name: String, value: String)? = nil
    ) -> MetricFamily.Sample {
        .init([("camera", camera.name)] + (label.map { [$0] } ?? []), .number(value))
    }

    static func families(of cameras: [CameraStatus]) -> [MetricFamily] {
        func each(_ name: String, _ kind: MetricFamily.Kind, _ help: String, _ value: (CameraStatus) -> Double?)
            -> MetricFamily
        {
            MetricFamily(name, kind, help, cameras.compactMap { camera in value(camera).map { sample(camera, $0) } })
        }
        func count(_ name: String, _ help: String, _ path: KeyPath<CameraCounters, UInt64>) -> MetricFamily {
            each(name, .counter, help) { Double($0.counters[keyPath: path]) }
        }
        return [
            count("tintype_frames_captured_total", "Frames that came from the driver.", \.captured),
            MetricFamily(
                "tintype_frames_dropped_total",
                .counter,
                "Frames that were not used: skipped by the driver, damaged, or replaced by a newer one before any client saw them.",
                cameras.flatMap { camera in
                    dropped.map { sample(camera, Double(camera.counters[keyPath: $0.path]), ("reason", $0.reason)) }
                }
            ),
            count(
                "tintype_frames_encoded_total",
                "Pictures encoded, or copied where the camera gives JPEG.",
                \.encoded
            ),
            count("tintype_frames_streamed_total", "Pictures sent to clients that watch live.", \.streamed),
            count("tintype_frames_published_total", "Frames stored by schedules.", \.published),
            count("tintype_slots_missed_total", "Slots of schedules without a picture.", \.missedSlots),
            count("tintype_camera_openings_total", "Times that the device was opened.", \.opened),
            count("tintype_camera_interruptions_total", "Times that the stream broke off.", \.interrupted),
            count("tintype_camera_gaps_total", "Times that the stream was interrupted for the largest still.", \.gaps),
            MetricFamily(
                "tintype_camera_state",
                .gauge,
                "1 for the state of the camera, 0 for the others.",
                cameras.flatMap { camera in
                    SessionState.Name.allCases.map { name in
                        sample(camera, camera.state.name == name ? 1 : 0, ("state", name.rawValue))
                    }
                }
            ),
            each("tintype_camera_present", .gauge, "Whether there is a device that the daemon may use.") {
                $0.authorization == .authorized ? 1 : 0
            },
            MetricFamily(
                "tintype_camera_stuck_call_seconds",
                .gauge,
                "How long a driver call has been running that has not returned for a second.",
                cameras.compactMap { camera in
                    camera.stuckCall.map { sample(camera, seconds($0.runningMs), ("call", $0.name)) }
                }
            ),
            each("tintype_camera_frame_age_seconds", .gauge, "Time since the newest good frame was exposed.") {
                $0.lastFrameAgeMs.map(seconds)
            },
            each("tintype_camera_frames_per_second", .gauge, "Frames a second that the camera gives.") {
                $0.framesPerSecond
            },
            each("tintype_camera_waiting_requests", .gauge, "Requests that wait for a frame.") { Double($0.waiting) },
            each("tintype_camera_streams", .gauge, "Clients that watch live.") { Double($0.streams?.count ?? 0) },
            each("tintype_camera_holds", .gauge, "Leases on the camera.") { Double($0.holds.count) },
            each("tintype_camera_motion", .gauge, "Whether something moves before the camera.") {
                $0.motion.map { $0.isMoving ? 1 : 0 }
            },
            each("tintype_camera_ring_bytes", .gauge, "Memory of the ring of past frames.") {
                $0.ring.map { Double($0.bytes) }
            },
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
            each("tintype_spool_available", "Whether pictures can be stored.") { spool in
                if case .available = spool.state { 1 } else { 0 }
            },
            each("tintype_spool_frames", "Frames in the spool.") { $0.statistics?.total.frames },
            each("tintype_spool_bytes", "Bytes of the pictures in the spool.") { $0.statistics?.total.bytes },
            each("tintype_spool_lost_frames", "Frames whose files are missing.") { $0.statistics?.total.lost },
            each("tintype_spool_free_bytes", "Bytes that are free on the file system.") { $0.room?.freeBytes },
            each("tintype_spool_size_bytes", "Bytes of the whole file system.") { $0.room?.totalBytes },
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
        return [
            MetricFamily("tintype_health", .gauge, "1 for the health of the daemon, 0 for the others.", levels),
            MetricFamily(
                "tintype_health_reason",
                .gauge,
                "1 for each thing that is wrong, as /healthz has it.",
                samples
            ),
            MetricFamily(
                "tintype_build_info",
                .gauge,
                "The version of the daemon.",
                [.init([("version", health.version)], .number(1))]
            ),
        ]
    }
}

struct Metrics: MetricsService {
    /// Slower spools have no statistics in this scrape.
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
