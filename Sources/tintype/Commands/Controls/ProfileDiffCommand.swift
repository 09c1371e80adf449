// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype controls profiles diff [CAMERA] NAME`.
struct ProfileDiffCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare the camera's controls with a profile.",
        discussion: "Exit status 0: they match; 23: they differ."
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var arguments: ProfileArguments

    func answer() async throws {
        let list = try await asking(arguments.camera) { try await $0.differences(from: arguments.profile, of: $1) }
        if isJSON {
            try write(json: list)
        } else {
            try StandardStream.output.write(ControlReport.table(list.differences, width: StandardStream.output.width))
        }
        if !list.differences.isEmpty { throw ExitCode(ProblemCode.configurationUnsupported.exitStatus) }
    }
}
