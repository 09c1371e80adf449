// SPDX-License-Identifier: Apache-2.0
internal import Testing

@testable internal import TintypeModel
@testable internal import tintype

struct ControlCommandTests {
    private static let exposure = ControlDescription(
        id: ControlNumber.exposureAbsolute,
        title: "Exposure Time, Absolute",
        controlClass: "camera_controls",
        type: .integer,
        minimum: 3,
        maximum: 2047,
        step: 2,
        defaultValue: 250,
        flags: [.inactive],
        value: .integer(100)
    )
    private static let mode = ControlDescription(
        id: ControlNumber.autoExposure,
        title: "Auto Exposure",
        controlClass: "camera_controls",
        type: .menu,
        maximum: 3,
        defaultValue: 3,
        menu: [ControlMenuItem(index: 1, name: "Manual Mode"), ControlMenuItem(index: 3, name: "Auto")],
        value: .integer(1)
    )

    @Test func `controls are a table with ranges, choices and flags`() {
        #expect(
            ControlReport.table([Self.mode, Self.exposure]) == """
                NAME                    TYPE     VALUE            DEFAULT   RANGE                      FLAGS
                auto_exposure           menu     1 (Manual Mode)  3 (Auto)  1 (Manual Mode), 3 (Auto)  -
                exposure_time_absolute  integer  100              250       3..2047/2 × 100 µs         inactive

                """
        )
    }

    @Test func `non-integer controls show their value and range`() {
        var bits = Self.exposure
        bits.id = 1
        bits.type = .bitmask
        bits.maximum = 0x7000
        bits.value = .integer(0x1000)
        bits.defaultValue = 0
        #expect(ControlReport.table([bits]).contains("0x1000  0x0      bits 0x7000"))
        bits.type = .boolean
        bits.value = .boolean(true)
        #expect(ControlReport.table([bits]).contains("boolean  on     off      off, on"))
        bits.type = .string
        bits.value = .text("abc")
        #expect(ControlReport.table([bits]).contains("abc    -        3..28672 bytes"))
        bits.type = .button
        bits.value = nil
        #expect(ControlReport.table([bits]).contains("button  -      -        -"))
        bits.type = .compound
        bits.elements = ControlElements(type: "u16", bytes: 2, count: 128, dimensions: [8, 16])
        #expect(ControlReport.table([bits]).contains("compound  -      -        8x16 u16, 3..28672"))
        bits.elements = ControlElements(type: "area", bytes: 8, count: 1, dimensions: [])
        #expect(ControlReport.table([bits]).contains("compound  -      -        area, 8 bytes"))
    }

    @Test func `outcomes, profiles and differences are printed`() {
        let outcomes = [
            ControlOutcome(name: "gain", asked: .integer(9), value: .integer(9), result: .applied),
            ControlOutcome(name: "hue", asked: .integer(9), result: .refused, detail: "It is broken."),
        ]
        #expect(ControlReport.text(outcomes) == "gain: applied 9\nhue: refused. It is broken.\n")
        var mode = ControlOutcome(name: "auto_exposure", value: .integer(1), result: .applied)
        mode.valueName = "Manual Mode"
        #expect(ControlReport.text([mode]) == "auto_exposure: applied 1 (Manual Mode)\n")
        #expect(ControlReport.text([ControlOutcome]()) == "No control had to be changed.\n")
        let settings = ControlSettings(["gain": .integer(1), "a": .boolean(true)])
        let night = ControlProfile(name: "night", source: .saved, controls: settings)
        #expect(ControlReport.table([night]).contains("night  saved   a=on gain=1"))
        let difference = ControlDifference(name: "gain", wanted: .integer(1), value: .integer(2))
        #expect(ControlReport.table([difference]).contains("gain  1       2      -"))
        #expect(ControlReport.table([ControlDifference]()) == "The camera matches the profile.\n")
    }

    @Test func `the usage of set in help and errors is what it takes`() async throws {
        let usage = "tintype controls set [--socket <path>] [--json] [<camera>] <name>=<value> ...\n"
        let help = try await BuiltCommand.alone.run("controls", "set", "--help")
        #expect(help.text.hasPrefix("USAGE: \(usage)") && !help.text.contains("<words>"), "\(help.text)")
        let wrong = try await BuiltCommand.alone.run("controls", "set", "front")
        #expect(wrong.status == 64 && wrong.errors.contains("Usage: \(usage)"), "\(wrong.errors)")
        let answer: @Sendable (FakeDaemon.Request) throws -> FakeDaemon.Reply = { request in
            request.method == "GET"
                ? .json(CameraList(cameras: [Sample.camera]))
                : .json(ControlOutcomeList(outcomes: [ControlOutcome(name: "gain", result: .applied)]))
        }
        try await BuiltCommand.asking(answer) { command, daemon in
            for line in ["--json front gain=1 hue=a=b", "gain=1 hue=a=b --json"] {
                #expect(try await command.shell("$T controls set \(line)").status == 0)
                let asked = try #require(daemon.log.requests.last)
                #expect(asked.method == "PATCH" && asked.target == "/v1/cameras/front/controls")
                #expect(String(decoding: asked.body, as: UTF8.self) == #"{"gain":1,"hue":"a=b"}"#)
            }
        }
    }

    @Test(arguments: ["save", "apply", "diff", "rm"])
    func `the usage of a command for a profile names its arguments`(_ name: String) async throws {
        let usage = "tintype controls profiles \(name) [--socket <path>] [--json] [<camera>] <profile>\n"
        let help = try await BuiltCommand.alone.run("controls", "profiles", name, "--help")
        #expect(help.text.hasPrefix("USAGE: \(usage)") && !help.text.contains("<words>"), "\(help.text)")
        let wrong = try await BuiltCommand.alone.run("controls", "profiles", name)
        #expect(wrong.status == 64 && wrong.errors.contains("Usage: \(usage)"), "\(wrong.errors)")
    }

    @Test(arguments: [("night", 0), ("day", 23), ("none", 13)] as [(String, Int32)])
    func `the difference from a profile is the exit status`(_ profile: String, _ status: Int32) async throws {
        let answer: @Sendable (FakeDaemon.Request) throws -> FakeDaemon.Reply = { request in
            if request.target.contains("none") {
                throw Problem(.notFound, "It has no such profile.", remedy: "Save it.")
            }
            let differs = request.target.contains("day")
            let list = differs ? [ControlDifference(name: "gain", wanted: .integer(1), value: .integer(2))] : []
            return .json(ControlDifferenceList(profile: profile, differences: list))
        }
        try await BuiltCommand.asking(answer) { command, _ in
            let outcome = try await command.run("controls", "profiles", "diff", "front", profile)
            #expect(outcome.status == status && outcome.text.contains("gain") == (status == 23), "\(outcome)")
        }
    }

    @Test func `a status has the profile, the shutter, refused controls and foreign changes`() {
        var camera = Sample.camera
        var status = ControlStatus()
        status.profile = "night"
        status.isShutterClosed = true
        status.unfulfilled = [ControlOutcome(name: "gain", result: .refused, detail: "It is broken.")]
        status.foreignChanges = 2
        status.lastForeignChange = ControlChange(
            name: "hue",
            from: .integer(0),
            to: .integer(17),
            at: Timestamp(microseconds: 0)
        )
        camera.controls = status
        let text = StatusReport.text(camera)
        #expect(text.contains("night"))
        #expect(text.contains("closed: no picture can be taken"))
        #expect(text.contains("gain: refused. It is broken."))
        #expect(text.contains("hue from 0 to 17 at 1970-01-01T00:00:00.000000Z; 2 in all"))
    }
}
