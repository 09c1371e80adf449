// SPDX-License-Identifier: Apache-2.0
internal import Testing

@testable internal import TintypeModel
@testable internal import tintype

struct ReportTests {
    private static let absent = CameraStatus(name: "back", identity: nil, authorization: .absent, state: .off)

    @Test func `cameras are listed with one line each`() {
        #expect(
            CameraReport.table([Self.absent, Sample.camera]) == """
                NAME   STATE    FORMAT            ACCESS      PATH         CARD
                back   off      -                 absent      -            -
                front  running  MJPG:1280x720@30  authorized  /dev/video0  Webcam

                """
        )
    }

    @Test func `each present camera has a line for the configuration`() {
        var front = Sample.camera
        front.match = CameraMatch([.serial: "0012", .usb: "046d:082d"])
        #expect(
            CameraReport.configuration(CameraList(cameras: [Self.absent, front])) == """

                For /etc/tintype/tintyped.yaml:

                cameras:
                  front: {match: {serial: "0012", usb: "046d:082d"}}

                """
        )
        #expect(CameraReport.configuration(CameraList(cameras: [Self.absent])).isEmpty)
    }

    @Test func `each unconfigured device has a line for the configuration`() {
        let spare = UnconfiguredCamera(
            identity: CameraIdentity(
                path: "/dev/video2",
                card: "HD\u{1B}[2J Cam",
                driver: "uvcvideo",
                busInfo: "usb-1"
            ),
            authorization: .authorized,
            match: CameraMatch([.serial: "77"])
        )
        #expect(
            CameraReport.configuration(CameraList(cameras: [], unconfigured: [spare])) == """

                No camera of the configuration is one of these; to use one, add its line with a name:

                  NAME: {match: {serial: "77"}}  # /dev/video2 HD\\u{1b}[2J Cam

                """
        )
    }

    @Test func `a status has the USB identity and the match`() {
        var camera = Sample.camera
        camera.identity?.usb = "046d:082d"
        camera.identity?.manufacturer = "Logitech"
        camera.identity?.port = "1-2.3"
        camera.identity?.serial = "0012"
        camera.match = CameraMatch([.serial: "0012"])
        let text = StatusReport.text(camera)
        #expect(text.contains("  usb            046d:082d Logitech, port 1-2.3, serial number 0012\n"))
        #expect(text.contains("  match          {serial: \"0012\"}\n"))
    }

    @Test func `a status has the look, and the number of its masked areas`() {
        var camera = Sample.camera
        #expect(!StatusReport.text(camera).contains("look"))
        let crop = CropRectangle("1200x700+40+10")
        camera.look = LookStatus(rotate: 180, flip: .horizontal, crop: crop, maskedAreas: 2)
        let all = "  look           rotate 180, flip horizontal, crop 1200x700+40+10, 2 masked areas\n"
        #expect(StatusReport.text(camera).contains(all))
        camera.look = LookStatus(rotate: 0, flip: nil, crop: nil, maskedAreas: 1)
        #expect(StatusReport.text(camera).contains("  look           1 masked area\n"))
    }

    @Test func `a status has the contents and the cost of the ring`() {
        var camera = Sample.camera
        #expect(!StatusReport.text(camera).contains("ring"))
        camera.ring = RingStatus(
            seconds: 5,
            megabytes: 32,
            frames: 150,
            bytes: 14_900_000,
            spanMs: Milliseconds(.milliseconds(4980)),
            dropped: 3
        )
        let copied = "  ring           150 frames of the last 5 s in 14.2M of 32M bytes, 3 dropped"
        #expect(StatusReport.text(camera).contains("\(copied)\n"))
        camera.ring?.encoded = 1000
        camera.ring?.encodingMs = Milliseconds(.milliseconds(3149))
        #expect(StatusReport.text(camera).contains("\(copied), 3.1 ms to encode each\n"))
        camera.ring = RingStatus(seconds: 5, megabytes: 32)
        #expect(StatusReport.text(camera).contains("  ring           empty, for 5 s and 32M bytes\n"))
    }

    @Test func `a status has counts of one in the singular`() {
        var camera = Sample.camera
        camera.waiting = 1
        var ring = RingStatus(seconds: 5, megabytes: 32)
        ring.frames = 1
        camera.ring = ring
        var client = StreamStatus(id: 1, since: Timestamp(microseconds: 0), StreamRequest())
        client.sent = 1
        camera.streams = [client]
        let text = StatusReport.text(camera)
        for line in ["1 request\n", "1 frame of the last", "1 client, 1 picture sent, 0 dropped\n"] {
            #expect(text.contains(line), "\(text)")
        }
    }

    @Test func `a status has the results of each schedule and its last missed slots`() {
        var camera = Sample.camera
        #expect(!StatusReport.text(camera).contains("publishing"))
        var first = PublishingStatus(schedule: "every 1m, align clock")
        first.published = 812
        first.next = Timestamp(microseconds: 1_795_000_020_000_000)
        let (begin, end) = (
            Timestamp(microseconds: 1_794_999_840_000_000), Timestamp(microseconds: 1_794_999_960_000_000)
        )
        let busy = MissedSlots(first: begin, last: begin, count: 1, reason: "busy", detail: "It was at work.")
        first.addMissed(busy, asNewRun: true)
        let lost = MissedSlots(first: begin, last: end, count: 3, reason: "device-lost", detail: "It is gone.")
        first.addMissed(lost, asNewRun: true)
        first.problem = Problem(.deviceLost, "The camera is gone.", remedy: "Plug it in again.")
        camera.publishing = [first, PublishingStatus(schedule: "latest every 1s")]
        let text = StatusReport.text(camera)
        let lines = """
              publishing     every 1m, align clock: 812 published, 4 missed (busy 1, device-lost 3), \
            next at 2026-11-18T11:07:00.000000Z
              last missed    3 from 2026-11-18T11:04:00.000000Z to 2026-11-18T11:06:00.000000Z: device-lost. It is gone.
              problem        device-lost: The camera is gone.
              remedy         Plug it in again.
              publishing     latest every 1s: 0 published

            """
        #expect(text.contains(lines), "\(text)")
    }

    @Test func `formats are listed with one line per size`() {
        func format(_ code: FourCC, _ name: String, _ sizes: FrameSizeDescription...) -> FormatDescription {
            FormatDescription(pixelFormat: code, name: name, sizes: sizes)
        }
        let (least, most) = (FrameSize(width: 2, height: 2), FrameSize(width: 64, height: 64))
        let single = FrameSize(width: 640, height: 480)
        let rates = [30, 15].map { FrameInterval(framesPerSecond: $0) }
        let formats = [
            format(
                .yuyv,
                "YUYV 4:2:2",
                FrameSizeDescription(size: single, intervals: rates),
                FrameSizeDescription(minimum: least, maximum: most, step: least, intervals: [])
            ),
            format(.sbggr8, "Bayer", FrameSizeDescription(size: single, intervals: [])),
            format(FourCC(rawValue: 0x4356_4548), "HEVC"),
        ]
        #expect(
            FormatReport.table(formats) == """
                FORMAT  SIZE           RATES  STILLS     NAME
                YUYV    640x480        30 15  yes        YUYV 4:2:2
                YUYV    2x2-64x64/2x2  -      yes        YUYV 4:2:2
                BA81    640x480        -      converted  Bayer
                HEVC    -              -      no         HEVC

                """
        )
    }

    @Test func `a status has the problem, its remedy and the next attempt`() {
        var camera = Sample.camera
        let time = Timestamp(microseconds: 0)
        camera.state = .interrupted(reason: Sample.problem, since: time, nextAttempt: time)
        camera.stuckCall = CameraStatus.StuckCall(name: "VIDIOC_DQBUF", runningMs: Milliseconds(.seconds(4)))
        camera.counters.flagged = 3
        camera.alarms = [AlarmStatus(.noPicture), AlarmStatus(.black, since: time)]
        camera.tolerance = [PictureTolerance(quirk: .missingEnd, since: time, frames: 120)]
        camera.isStarted = true
        camera.holds = [CameraHold(owner: "ann", until: time)]
        let summary = { (count: Int, median: Duration, worst: Duration) in
            CameraLatency.Summary(count: count, medianMs: Milliseconds(median), worstMs: Milliseconds(worst))
        }
        camera.latency = CameraLatency(
            fromOff: summary(3, .milliseconds(412), .milliseconds(1530)),
            fromRunning: summary(64, .milliseconds(18), .milliseconds(36)),
            settling: CameraLatency.Settling(
                count: 9,
                medianMs: Milliseconds(.milliseconds(340)),
                worstMs: Milliseconds(.milliseconds(2100)),
                medianFrames: 11,
                worstFrames: 64
            )
        )
        #expect(
            StatusReport.text(camera) == """
                front: interrupted
                  device         /dev/video0 (Webcam, uvcvideo, usb-1)
                  authorization  authorized
                  format         MJPG:1280x720@30
                  warmth         linger 10s, started
                  held           by ann until 1970-01-01T00:00:00.000000Z
                  when off       412 ms to the first frame, 1.5 s at worst of 3
                  when running   18 ms to the next frame, 36 ms at worst of 64
                  to settle      340 ms (11 frames), 2.1 s (64) at worst of 9
                  newest frame   20 ms old
                  problem        device-lost: The camera front is gone.
                  remedy         Plug it in again.
                  since          1970-01-01T00:00:00.000000Z
                  next attempt   1970-01-01T00:00:00.000000Z
                  stuck          VIDIOC_DQBUF has not returned for 4 s
                  alarm          black since 1970-01-01T00:00:00.000000Z
                  tolerance      missingEnd: its pictures lack their EOI marker; in 120 frames, known since 1970-01-01T00:00:00.000000Z
                  counters       0 opened, 0 captured, 0 encoded, 0 stills, 3 flagged

                """
        )
    }

    @Test func `a still is reported with its age, phases and skipped frames`() {
        #expect(
            StillReport.text(Sample.record) == """
                front: 1280x720, 4 bytes, frame 7, 12 ms old, waited 8 ms, stored: durable
                open 0 ms, wait 8 ms, encode 3 ms, store 0 ms
                skipped: 1 stale

                """
        )
    }

    @Test func `a still is reported with its defects, if any`() {
        var record = Sample.record
        record.skipped = nil
        record.verdict = .intact
        record.settled = true
        record.phasesMs = nil
        #expect(StillReport.text(record).split(separator: "\n").count == 1)
        record.verdict = .tolerated
        record.faults = [.truncated, .size]
        record.settled = false
        record.appearance = [.black]
        record.average = 4
        record.gapMs = Milliseconds(.milliseconds(812))
        record.phasesMs = StillPhases()
        record.phasesMs?.settle = Milliseconds(.milliseconds(400))
        #expect(
            StillReport.text(record, showsPath: true) == """
                front: 1280x720, 4 bytes, frame 7, 12 ms old, waited 8 ms, stored: /spool/front/a.jpg
                verdict: tolerated (truncated, size); exposure and white balance had not settled; \
                average of 4 frames; the stream was interrupted for 812 ms
                open 0 ms, settle 400 ms, wait 0 ms, encode 0 ms, store 0 ms

                """
        )
    }

    @Test func `exit statuses are distinct per problem`() throws {
        var seen: Set<Int32> = [0, 1, 2, 64, 74]
        for code in ProblemCode.allCases {
            let report = try #require(FailureReport(Problem(code, "d.", remedy: "r.")))
            #expect(seen.insert(report.status).inserted)
        }
        #expect(FailureReport(ClientError(.missing, "d.", remedy: "r."))?.status == 2)
        #expect(FailureReport(ClientError(.unexpected, "d.", remedy: "r."))?.status == 1)
        #expect(FailureReport(OutputError("d.", remedy: "r."))?.status == 74)
        #expect(FailureReport(CancellationError()) == nil)
    }
}
