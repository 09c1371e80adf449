// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype controls profiles save [CAMERA] NAME`.
struct ProfileSaveCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Save the camera's current values as a profile; replaces one of the same name.",
        discussion: """
            Leaves out values that change without a command, that an automatic mode controls, or that cannot be set.
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var arguments: ProfileArguments

    func answer() async throws {
        let profile = try await asking(arguments.camera) { try await $0.saveProfile(arguments.profile, of: $1) }
        guard !isJSON else { return try write(json: profile) }
        try StandardStream.output.write(ControlReport.text(profile))
    }
}
