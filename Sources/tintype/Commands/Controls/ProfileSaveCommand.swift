// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype controls profiles save [CAMERA] NAME`.
struct ProfileSaveCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Save what the camera has now as a profile; one of the same name is replaced.",
        discussion: "Values that change by themselves, that an automatic holds, or that cannot be set are left out."
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var arguments: ProfileArguments

    func answer() async throws {
        let profile = try await asking(arguments.camera) { try await $0.saveProfile(arguments.profile, of: $1) }
        guard !isJSON else { return try write(json: profile) }
        try StandardStream.output.write(ControlReport.text(profile))
    }
}
