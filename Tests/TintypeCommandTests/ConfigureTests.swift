// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import NIOHTTP1
internal import Testing

@testable internal import TintypeModel
@testable internal import tintype

struct ConfigureTests {
    private func parse(_ arguments: [String]) async throws -> ConfigureCommand {
        try #require(try await RootCommand.asyncParseAsRoot(["configure"] + arguments) as? ConfigureCommand)
    }

    @Test func `a command line without a setting changes nothing`() async throws {
        let command = try await parse(["front"])
        #expect(command.camera.name == "front")
        #expect(!command.settings.isGiven)
        #expect(command.settings.applied(to: CameraSettings()) == CameraSettings())
    }

    @Test func `every setting can be changed and reset to its default`() async throws {
        let command = try await parse([
            "--preset", "high", "--format", "MJPG,YUYV", "--size", "at least 640x480", "--rate", "exactly 30",
            "--input", "HDMI 0", "--standard", "PAL", "--crop", "64x48+1+2", "--deinterlace", "blend",
            "--warmth", "linger 3s",
        ])
        let settings = command.settings.applied(to: CameraSettings())
        #expect(
            settings
                == CameraSettings(
                    format: FormatWish(
                        preset: .high,
                        pixelFormats: [.mjpeg, .yuyv],
                        size: .atLeast(FrameSize(width: 640, height: 480)),
                        rate: .exactly(FrameInterval(framesPerSecond: 30))
                    ),
                    input: InputWish(
                        input: .name("HDMI 0"),
                        standard: "PAL",
                        crop: CropRectangle("64x48+1+2"),
                        deinterlace: .blend
                    ),
                    warmth: .linger(.seconds(3))
                )
        )
        let options = [
            "preset", "format", "size", "rate", "input", "standard", "crop", "deinterlace", "warmth",
        ]
        for option in options {
            let back = try await parse(["--\(option)", "default"]).settings
            #expect(back.isGiven)
            #expect(back.applied(to: settings) != settings, "\(option)")
            #expect(back.applied(to: CameraSettings()) == CameraSettings(), "\(option)")
        }
    }

    @Test(arguments: [
        ("--preset", "best"), ("--format", "mjpg"), ("--format", ""), ("--size", "about 1x1"), ("--rate", "at most 5"),
        ("--input", "256"), ("--standard", "P A L"), ("--crop", "1x1"), ("--deinterlace", "bob"),
        ("--warmth", "warm"),
    ])
    func `an invalid setting is refused with status 64 and advice`(_ option: String, _ value: String) async {
        let error = await #expect(throws: (any Error).self) { try await parse([option, value]) }
        #expect(error.map { RootCommand.exitCode(for: $0).rawValue } == 64)
        let advice = value == "mjpg" ? "Did you mean MJPG?" : "Give "
        #expect(error.map { RootCommand.message(for: $0).contains(advice) } == true)
    }

    @Test func `a setting is changed in the present configuration, at its revision only`() async throws {
        let present = CameraSettings(input: InputWish(standard: "PAL"))
        let answer: @Sendable (FakeDaemon.Request) throws -> FakeDaemon.Reply = { request in
            if request.target == "/v1/cameras" { return .json(CameraList(cameras: [Sample.camera])) }
            let sent = request.method == "PUT" ? try WireFormat.decode(CameraSettings.self, from: request.body) : nil
            return .json(ConfigurationReport(camera: "front", revision: 7, configuration: sent ?? present))
        }
        try await BuiltCommand.asking(answer) { command, daemon in
            let outcome = try await command.run("configure", "--size", "exactly 800x600")
            #expect(outcome.status == 0 && outcome.text.contains("size         exactly 800x600"), "\(outcome)")
            #expect(outcome.text.contains("standard     PAL"))
            #expect(daemon.log.requests.last?.headers.first(name: "If-Match") == "\"7\"")
        }
    }

    @Test func `a configuration is printed with requested, granted and unmet settings`() {
        var report = ConfigurationReport(camera: "front", revision: 1, configuration: CameraSettings())
        #expect(
            ConfigurationText.text(report) == """
                front: revision 1
                  preset       default
                  format       default
                  size         default
                  rate         default
                  input        default
                  standard     default
                  crop         default
                  deinterlace  default
                  warmth       linger 10s

                """
        )
        report.asked = CaptureFormat(pixelFormat: .yuyv, size: FrameSize(width: 64, height: 48), interval: nil)
        report.granted = report.asked
        report.crop = CropRectangle("8x8+0+0")
        report.input = InputStatus(index: 1, name: "HDMI 0", timings: "1920x1080p60")
        report.unmet = ["the rate: 30 was asked for, and 25 granted"]
        let text = ConfigurationText.text(report)
        #expect(text.contains("  asked        YUYV:64x48\n"))
        #expect(text.contains("  granted      YUYV:64x48, the part 8x8+0+0\n"))
        #expect(text.contains("  received by  1 (HDMI 0), 1920x1080p60\n"))
        #expect(text.contains("  not granted  the rate: 30 was asked for, and 25 granted\n"))
    }

    @Test func `a status has the input, the crop and a differing requested format`() {
        let format = CaptureFormat(pixelFormat: .yuyv, size: FrameSize(width: 64, height: 48), interval: nil)
        var status = CameraStatus(
            name: "front",
            identity: nil,
            authorization: .authorized,
            state: .off,
            format: format,
            asked: format
        )
        #expect(!StatusReport.text(status).contains("asked"))
        status.asked = CaptureFormat(pixelFormat: .mjpeg, size: format.size, interval: nil)
        status.unmet = ["the format: MJPG was asked for, and YUYV granted"]
        status.crop = CropRectangle("8x8+0+0")
        status.input = InputStatus(index: 0, name: "TV", standard: "PAL")
        let text = StatusReport.text(status)
        #expect(text.contains("YUYV:64x48 (asked: MJPG:64x48)\n"))
        #expect(text.contains("8x8+0+0\n"))
        #expect(text.contains("0 (TV), PAL\n"))
        #expect(text.contains("the format: MJPG was asked for, and YUYV granted\n"))
    }
}
