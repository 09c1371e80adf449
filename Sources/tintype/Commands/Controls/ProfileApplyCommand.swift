// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype controls profiles apply [CAMERA] NAME`.
struct ProfileApplyCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Apply a profile in place of configured values and of values set by command.",
        discussion: "It holds until “reset” or until the daemon ends. Exit status 23: a value could not be set."
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var arguments: ProfileArguments

    func answer() async throws {
        let list = try await asking(arguments.camera) { try await $0.applyProfile(arguments.profile, of: $1) }
        try report(list)
    }
}
