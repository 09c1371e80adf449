// SPDX-License-Identifier: Apache-2.0
@testable import TintypeModel

enum Sample {
    static let camera = CameraStatus(
        name: "front",
        identity: CameraIdentity(path: "/dev/video0", card: "Webcam", driver: "uvcvideo", busInfo: "usb-1"),
        authorization: .authorized,
        state: .running,
        format: CaptureFormat(
            pixelFormat: .mjpeg,
            size: FrameSize(width: 1280, height: 720),
            interval: FrameInterval(framesPerSecond: 30)
        ),
        lastFrameAgeMs: Milliseconds(.milliseconds(20))
    )

    /// Picture of a batch: a second later than the one before.
    static func picture(_ index: Int) -> WorkPicture {
        let time = Timestamp(microseconds: 1_767_225_600_000_000 + Int64(index) * 1_000_000)
        let id = FrameID(high: UInt64(time.microseconds / 1000) << 16 | 0x7000, low: 0x8000_0000_0000_0000)
        return WorkPicture(id: id, camera: "front", path: "\(index).jpg", bytes: 4, capturedAt: time)
    }

    /// Job of the rule `site`, or of a command.
    static func job(_ id: String, rule: String? = nil, _ change: (inout Job) -> Void = { _ in }) -> Job {
        let time = Timestamp(microseconds: 1_767_225_600_000_000)
        let target = "s3:bucket/{id}"
        var job = Job(id: id, rule: rule, spool: "main", source: "all()", target: target, createdAt: time)
        change(&job)
        return job
    }

    static let hold = CameraHold(owner: "ann", until: Timestamp(microseconds: 1_000_000))

    static let trigger = TriggerReport(from: hold.until, until: hold.until, nth: 1, tags: ["door", "bell"])

    static let code = PictureCode(
        kind: "QR-Code",
        text: "https://example.org/?a=b",
        place: CropRectangle(size: FrameSize(width: 120, height: 118), left: 400, top: 233)
    )
    static let scan = ScanReport(
        codes: [code, PictureCode(kind: "CODE-128", text: "TINTYPE 42", place: code.place)],
        still: record
    )

    static let record = StillRecord(
        id: FrameID(at: Timestamp(microseconds: 1_700_000_000_000_000)),
        camera: "front",
        path: "/spool/front/a.jpg",
        stored: .durable,
        bytes: 4,
        width: 1280,
        height: 720,
        sequence: 7,
        capturedAt: Timestamp(microseconds: 1_700_000_000_000_000),
        timestampSource: .startOfExposure,
        ageMs: Milliseconds(.milliseconds(12)),
        waitedMs: Milliseconds(.milliseconds(8)),
        skipped: [.stale: 1],
        phasesMs: phases
    )

    private static var phases: StillPhases {
        var phases = StillPhases()
        phases.wait = Milliseconds(.milliseconds(8))
        phases.encode = Milliseconds(.milliseconds(3))
        return phases
    }

    static let frame: FrameRecord = {
        var still = record
        (still.ageMs, still.waitedMs, still.skipped, still.phasesMs) = (nil, nil, nil, nil)
        still.tags = ["door"]
        still.sha256 = String(repeating: "0a", count: 32)
        return FrameRecord(still: still, storedAt: Timestamp(microseconds: 1_700_000_000_500_000))
    }()

    static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]

    static let pictureHeaders = [
        "Content-Type": "image/jpeg",
        "Tintype-Id": record.id.description,
        "Tintype-Camera": "front",
        "Tintype-Width": "1280",
        "Tintype-Height": "720",
        "Tintype-Sequence": "7",
        "Tintype-Captured-At": record.capturedAt.description,
        "Tintype-Timestamp-Source": "startOfExposure",
        "Tintype-Age-Ms": "12.5",
        "Tintype-Waited-Ms": "8",
        "Tintype-Stored": "no",
    ]

    static let problem = Problem(
        .deviceLost,
        "The camera front is gone.",
        remedy: "Plug it in again.",
        retryAfter: .seconds(1)
    )
}

extension FakeDaemon.Reply {
    /// `value` as JSON with status `status`.
    static func json(_ value: some Encodable, status: Int = 200, type: String = "application/json") -> Self {
        .http(status, ["Content-Type": type], (try? WireFormat.encode(value)) ?? [])
    }

    /// `problem` as the daemon sends it.
    static func problem(_ problem: Problem) -> Self {
        .json(problem, status: problem.code.status, type: Problem.mediaType)
    }
}
