// SPDX-License-Identifier: Apache-2.0
@testable import TintypeModel

/// Values with every field set, so that replies contain every key.
enum Samples {
    static let id = FrameID(at: Timestamp(microseconds: 784_111_777_250_000))

    static let code = PictureCode(
        kind: "QR-Code",
        text: "https://example.org/\u{1b}",
        place: CropRectangle(size: FrameSize(width: 120, height: 118), left: 400, top: 233)
    )
    static let until = Timestamp(microseconds: 784_112_377_250_000)
    private static let latency = CameraLatency.Summary(
        count: 3,
        medianMs: Milliseconds(.milliseconds(20)),
        worstMs: Milliseconds(.milliseconds(30))
    )

    static let idle = CameraStatus(name: "idle", identity: nil, authorization: .authorized, state: .off)

    /// A device that is not configured as a camera.
    static let unconfigured = UnconfiguredCamera(
        identity: CameraIdentity(path: "/dev/video7", card: "Spare", driver: "uvcvideo", busInfo: "usb-1"),
        authorization: .authorized,
        match: CameraMatch([.serial: "SPARE1"])
    )

    static let streamed = StreamedPicture(
        jpeg: [0xFF, 0xD8, 0xFF, 0xD9],
        sequence: 7,
        capturedAt: until,
        age: .microseconds(12_500),
        placeholder: nil
    )

    static var status: CameraStatus {
        CameraStatus(
            name: "pattern",
            identity: CameraIdentity(
                path: "/dev/video0",
                card: "Test",
                driver: "pattern",
                busInfo: "none",
                byID: ["/dev/v4l/by-id/a"],
                byPath: ["/dev/v4l/by-path/b"],
                serial: "AB12",
                usb: "046d:082d",
                port: "1-2.3",
                manufacturer: "Logitech",
                product: "C920",
                sysfsPath: "/sys/devices/a/video4linux/video0"
            ),
            authorization: .denied(remedy: "Join the group video."),
            state: .interrupted(
                reason: Problem(
                    .deviceLost,
                    "It is gone.",
                    remedy: "Plug it in.",
                    retryAfter: .seconds(1),
                    field: "none",
                    cause: .noLock
                ),
                since: Timestamp(microseconds: 0),
                nextAttempt: Timestamp(microseconds: 1_000_000)
            ),
            format: CaptureFormat(
                pixelFormat: .yuyv,
                size: FrameSize(width: 640, height: 480),
                interval: FrameInterval(framesPerSecond: 30)
            ),
            framesPerSecond: 29.97,
            quality: 75,
            asked: CaptureFormat(pixelFormat: .mjpeg, size: FrameSize(width: 640, height: 480), interval: nil),
            unmet: ["the format: MJPG was asked for, and YUYV granted"],
            input: InputStatus(index: 1, name: "HDMI 0", standard: "PAL", timings: "1920x1080p60"),
            crop: CropRectangle("640x480+2+4"),
            look: LookStatus(rotate: 90, flip: .vertical, crop: CropRectangle("400x300+20+10"), maskedAreas: 2),
            lastFrameAgeMs: Milliseconds(.milliseconds(12)),
            stuckCall: CameraStatus.StuckCall(name: "VIDIOC_DQBUF", runningMs: Milliseconds(.seconds(2))),
            warmth: .linger(.seconds(10)),
            isStarted: true,
            holds: [CameraHold(owner: "ann", until: until), CameraHold(owner: "bob", until: until)],
            waiting: 3,
            latency: CameraLatency(
                fromOff: latency,
                fromRunning: latency,
                settling: CameraLatency.Settling(
                    count: 3,
                    medianMs: Milliseconds(.milliseconds(160)),
                    worstMs: Milliseconds(.milliseconds(900)),
                    medianFrames: 5,
                    worstFrames: 28
                )
            ),
            match: CameraMatch(Dictionary(uniqueKeysWithValues: CameraMatch.Key.allCases.map { ($0, "a") })),
            controls: controlStatus,
            ring: RingStatus(
                seconds: 5,
                megabytes: 32,
                frames: 150,
                bytes: 9_000_000,
                spanMs: Milliseconds(.seconds(5)),
                dropped: 1,
                encoded: 9000,
                encodingMs: Milliseconds(.seconds(27))
            ),
            motion: MotionStatus(isMoving: true, since: until, share: 4.2),
            alarms: [AlarmStatus(.noPicture), AlarmStatus(.frozen, since: until)],
            publishing: [publishing, PublishingStatus(schedule: "all")],
            streams: [streaming]
        )
    }

    static var streaming: StreamStatus {
        var request = StreamRequest(rate: 12.5)
        request.picture.rendering.width = 320
        request.picture.rendering.quality = 70
        var status = StreamStatus(id: 3, since: until, request)
        (status.sent, status.dropped, status.bytes) = (10, 2, 40_000)
        status.framesPerSecond = 12.5
        return status
    }

    static var publishing: PublishingStatus {
        var status = PublishingStatus(schedule: "every 1m, align clock")
        status.published = 812
        status.lastPublishedAt = until
        let slots = MissedSlots(first: until, last: until, count: 1, reason: "device-lost", detail: "It is gone.")
        status.addMissed(slots, asNewRun: true)
        status.problem = Problem(.deviceLost, "It is gone.", remedy: "Plug it in.")
        status.next = until
        return status
    }

    static var examination: Examination {
        var examination = Examination(camera: "pattern")
        examination.shutterClosed = false
        examination.frames.captured = 30
        examination.pictures.examined = 30
        examination.problem = status.state.reason
        return examination
    }

    static let settings = CameraSettings(
        format: FormatWish(
            preset: .high,
            pixelFormats: [.mjpeg, .yuyv],
            size: SizeWish("at least 640x480"),
            rate: RateWish("exactly 30000/1001")
        ),
        input: InputWish(input: .index(1), standard: "PAL", crop: CropRectangle("640x480+2+4"), deinterlace: .blend),
        warmth: .hot
    )

    static func report(_ settings: CameraSettings) -> ConfigurationReport {
        ConfigurationReport(
            camera: "pattern",
            revision: 7,
            configuration: settings,
            asked: status.asked,
            granted: status.format,
            input: status.input,
            crop: status.crop,
            unmet: ["the format: MJPG was asked for, and YUYV granted"]
        )
    }

    static let format = FormatDescription(
        pixelFormat: .yuyv,
        name: "YUYV 4:2:2",
        sizes: [
            FrameSizeDescription(
                minimum: FrameSize(width: 16, height: 16),
                maximum: FrameSize(width: 640, height: 480),
                step: FrameSize(width: 2, height: 2),
                intervals: [FrameInterval(framesPerSecond: 30)]
            )
        ]
    )

    static func still(kept: Bool = false, bytes: Int = 50_000) -> Still {
        Still(
            record: StillRecord(
                id: id,
                camera: "pattern",
                path: kept ? "/spool/pattern/a.jpg" : nil,
                stored: kept ? .durable : .no,
                bytes: bytes,
                width: 640,
                height: 480,
                sequence: 42,
                capturedAt: Timestamp(microseconds: 784_111_777_250_000),
                capturedMonotonicNs: 81_234_567_890_123,
                timestampSource: .startOfExposure,
                uncertaintyMs: Milliseconds(.milliseconds(1)),
                leadMs: Milliseconds(.milliseconds(40)),
                ageMs: Milliseconds(.microseconds(12_345)),
                waitedMs: Milliseconds(.milliseconds(7)),
                skipped: [.stale: 1],
                settled: false,
                verdict: .tolerated,
                faults: [.truncated, .size],
                appearance: [.black],
                tags: ["door", "night"],
                average: 4,
                gapMs: Milliseconds(.microseconds(812_500)),
                focus: 35,
                deinterlaced: .weave,
                recompressed: true,
                color: [.primaries: "srgb", .transfer: "srgb", .matrix: "bt601", .range: "limited"],
                colorAssumed: [.matrix, .range],
                sha256: kept ? String(repeating: "0a", count: 32) : nil,
                phasesMs: StillPhases(),
                kind: .clip,
                until: until,
                durationMs: Milliseconds(.seconds(15)),
                pictures: 450
            ),
            picture: (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        )
    }
}
