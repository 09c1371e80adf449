// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import tintype

struct MistypedCommandTests {
    @Test(arguments: [
        ("stil", "Error: There is no command “stil”. Did you mean still?\n"),
        ("--socket /x --json camera", "Error: There is no command “camera”. Did you mean cameras?\n"),
        ("frames lst", "Error: There is no command “tintype frames lst”. Did you mean “tintype frames list”?\n"),
        ("nonsense", "Error: There is no command “nonsense”. Use one of: access, burst, cameras, "),
        ("controls profile save x", "Error: There is no command “tintype controls profile”. Did you mean"),
    ])
    func `a mistyped command is refused with suggestions and status 64`(_ line: String, _ message: String) async throws
    {
        let outcome = try await BuiltCommand.alone.shell("$T \(line)")
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix(message), "\(outcome.errors)")
    }

    @Test(arguments: [
        (
            "still --integrity strct",
            "'--integrity <integrity>'. Please provide one of 'strict', 'tolerant' or 'raw'.\n"
        ),
        ("configure --format YUYV,MJPEG", "“YUYV,MJPEG” is not valid here. Did you mean MJPG?\n"),
        ("still --reject forzen", "“forzen” is not valid here. Did you mean frozen?\n"),
    ])
    func `a mistyped value is refused with a suggestion and status 64`(_ line: String, _ message: String) async throws {
        let outcome = try await BuiltCommand.alone.shell("$T \(line)")
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func `an unknown camera close to a subcommand's name suggests the command`() throws {
        let problem = Problem(.cameraNotFound, "There is no camera “prof”.", remedy: "Use one of: front.")
        let report = try #require(FailureReport(problem, ["controls", "profils"]))
        #expect(report.remedy.hasPrefix("Use one of: front. "))
        #expect(report.remedy.contains("“tintype controls profiles”?"))
        #expect(FailureReport(problem, ["controls", "yard"])?.remedy == "Use one of: front.")
        #expect(FailureReport(problem, ["status", "prof"])?.remedy == "Use one of: front.")
    }
}
