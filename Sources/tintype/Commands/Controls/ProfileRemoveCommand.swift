// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype controls profiles rm [CAMERA] NAME`.
struct ProfileRemoveCommand: DaemonCommand {
    static let configuration = CommandConfiguration(commandName: "rm", abstract: "Remove a saved profile.")

    @OptionGroup var shared: SharedOptions
    @OptionGroup var arguments: ProfileArguments

    func answer() async throws {
        try await asking(arguments.camera) { try await $0.removeProfile(arguments.profile, of: $1) }
    }
}
