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
        try await client.withConnection { connection in
            try await connection.removeProfile(
                arguments.profile,
                of: try await CameraChoice.name(arguments.camera, at: connection)
            )
        }
    }
}
