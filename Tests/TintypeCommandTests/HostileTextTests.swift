// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

@testable internal import TintypeModel

/// Escaping of names, tags, paths and driver texts for terminals.
struct HostileTextTests {
    private static let time = Timestamp(microseconds: 1_700_000_000_000_000)

    private static var camera: CameraStatus {
        var camera = Sample.camera
        camera.identity?.usb = "046d:082d"
        camera.identity?.manufacturer = "Maker"
        camera.identity?.product = "Product"
        camera.identity?.serial = "0012"
        camera.identity?.byID = ["/dev/v4l/by-id/x"]
        camera.authorization = .denied(remedy: "Do it.")
        camera.state = .interrupted(reason: Sample.problem, since: time, nextAttempt: time)
        camera.stuckCall = CameraStatus.StuckCall(name: "CALL", runningMs: Milliseconds(.seconds(4)))
        camera.input = InputStatus(index: 1, name: "HDMI", timings: "1080p")
        camera.unmet = ["the rate"]
        camera.holds = [Sample.hold]
        var controls = ControlStatus()
        controls.profile = "night"
        controls.unfulfilled = [ControlOutcome(name: "gain", result: .refused, detail: "Broken.")]
        controls.lastForeignChange = ControlChange(name: "hue", from: .text("a"), to: .text("b"), at: time)
        camera.controls = controls
        var publishing = PublishingStatus(schedule: "every 1m")
        let slots = MissedSlots(first: time, last: time, count: 1, reason: "busy", detail: "It was at work.")
        publishing.addMissed(slots, asNewRun: true)
        publishing.problem = Sample.problem
        camera.publishing = [publishing]
        return camera
    }

    private static let control = ControlDescription(
        id: ControlNumber.autoExposure,
        title: "Auto Exposure",
        controlClass: "camera_controls",
        type: .menu,
        maximum: 3,
        defaultValue: 1,
        menu: [ControlMenuItem(index: 1, name: "Manual Mode")],
        value: .integer(1)
    )
    private static let settings = ControlSettings(["label": .text("x")])
    private static let profile = ControlProfile(name: "night", source: .saved, controls: settings)
    private static let format = FormatDescription(pixelFormat: .yuyv, name: "YUYV", sizes: [])
    private static let outcome = ControlOutcome(name: "gain", asked: .text("x"), result: .unknown, detail: "No.")
    private static var spool: SpoolReport {
        let totals = FrameTotals(frames: 3, bytes: 2048, oldest: time, newest: time)
        let statistics = SpoolStatistics(
            spool: "default",
            folder: "/spool",
            total: totals,
            cameras: [Hostile.text: totals],
            freeBytes: 1,
            quarantined: 0
        )
        return SpoolReport(
            spool: "default",
            folder: "/spool",
            state: .unavailable(reason: Sample.problem, since: time, nextAttempt: time),
            limit: SpoolLimit(durability: .data, sentence: "It is exFAT."),
            statistics: statistics
        )
    }
    private static let retention = RetentionReport(
        spool: "a",
        isDryRun: true,
        victims: [.init(id: Sample.frame.id, camera: "front", capturedAt: time, bytes: 4, rule: "maxAge 30d")],
        frames: 3,
        bytes: 8,
        withheld: "The clock was set."
    )

    private static func reply<Value: Codable>(_ value: Value, status: Int = 200) throws -> FakeDaemon.Reply {
        .json(try Hostile.version(of: value), status: status)
    }

    @Sendable private static func answer(_ request: FakeDaemon.Request) throws -> FakeDaemon.Reply {
        switch (request.method, request.target.replacing("/v1/cameras/front", with: "*")) {
        case (_, "/healthz"): return try reply(Health(version: "1"))
        case (_, "/v1/cameras"): return try reply(CameraList(cameras: [camera]))
        case (_, "*"), (_, "*/start"), (_, "*/stop"): return try reply(camera)
        case (_, "*/hold"): return try reply(Sample.hold)
        case (_, "*/trigger"): return try reply(Sample.trigger, status: 202)
        case (_, "*/scan"): return try reply(Sample.scan)
        case (_, "*/release"): return try reply(HoldList(holds: [Sample.hold]))
        case (_, "*/formats"): return try reply(FormatList(formats: [format]))
        case (_, "*/configuration"):
            var report = ConfigurationReport(camera: "front", revision: 1, configuration: CameraSettings())
            report.unmet = ["the rate"]
            report.input = camera.input
            return try reply(report)
        case ("GET", "*/controls"): return try reply(ControlList(controls: [control]))
        case ("PATCH", "*/controls"): return try reply(ControlOutcomeList(outcomes: [outcome]))
        case ("GET", "*/controls/profiles"): return try reply(ControlProfileList(profiles: [profile]))
        case ("PUT", _): return try reply(profile)
        case (_, "*/controls/profiles/x/diff"):
            let difference = ControlDifference(name: "gain", wanted: .text("x"), value: .text("y"), detail: "No.")
            return try reply(ControlDifferenceList(profile: "x", differences: [difference]))
        case (_, "*/stills"): return try reply(StillList(stills: [Sample.record]), status: 201)
        case (_, "/v1/spool"): return try reply(SpoolList(spools: [spool]))
        case (_, "/v1/spool/verify"): return try reply(VerificationList(reports: [VerificationReport(spool: "a")]))
        case (_, "/v1/spool/retention"): return try reply(RetentionList(reports: [retention]))
        case (_, "/v1/frames/query"): return try reply(FramePage(frames: [Sample.frame]))
        case ("GET", let path) where path.hasPrefix("/v1/frames/"):
            return path.hasSuffix("/image") ? .http(200, [:], Sample.jpeg) : try reply(Sample.frame)
        default: return .problem(try Hostile.version(of: Sample.problem))
        }
    }

    /// Each report; one for programs has the exact text in a pipe.
    static let reports: [(line: String, isForPrograms: Bool)] = [
        ("cameras", false), ("status front", false), ("formats front", false), ("configure front", false),
        ("controls front", false), ("controls set front gain=1", false), ("controls profiles front", false),
        ("controls profiles save front x", false), ("controls profiles diff front x", false),
        ("hold front --for 1s", false), ("release front", false), ("start front", false), ("stop front", false),
        ("trigger front", false), ("scan front", false), ("doctor front", false), ("frames list", false),
        ("frames show", false), ("frames stats", false),
        ("frames verify", false), ("frames retention", false), ("status", false), ("formats gone", false),
        ("still front -v", false), ("frames list --format '{camera} {path} {tags}'", true),
    ]

    @Test(arguments: reports)
    func `reports escape control characters for terminals`(_ line: String, _ isForPrograms: Bool) async throws {
        try await BuiltCommand.asking(Self.answer) { command, daemon in
            let terminal = try await command.terminal("$T \(line) 2> errors", columns: 300).text
            let shown = terminal.replacing("\r\n", with: "\n") + (try await command.shell("cat errors").text)
            #expect(Hostile.commands(in: shown) == [], "\(shown)")
            #expect(shown.contains("a\\u{1b}[2J\\r\\nb\\u{9b}31m\\u{202e}c"), "\(shown)")
            let json = try await command.shell("$T --json \(line.replacing("--format", with: "--where tag:a #"))")
            #expect(Hostile.commands(in: json.text + json.errors) == [])
            #expect((json.text + json.errors).lowercased().contains(#"a\u001b[2j\r\nb\u009b31m\u202ec"#), "\(json)")
            let piped = try await command.shell("$T \(line) 2>&1")
            guard isForPrograms || line.hasPrefix("still") else {
                #expect(Hostile.commands(in: piped.text) == [])
                return
            }
            #expect(piped.text.contains(Hostile.text))
        }
    }

    @Test func `error messages escape control characters of the command line`() async throws {
        let command = BuiltCommand(folder: NSTemporaryDirectory(), socket: "/nowhere/a\u{1B}[2J.sock")
        for script in [#"$T $'a\e[2J'"#, #"$T still --tag $'a\e[2J'"#, "$T cameras"] {
            let outcome = try await command.shell(script)
            #expect(Hostile.commands(in: outcome.errors) == [])
            #expect(outcome.errors.contains(#"a\u{1b}[2J"#), "\(outcome.errors)")
        }
    }
}
