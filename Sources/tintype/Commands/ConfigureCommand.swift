// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype configure [CAMERA]`.
struct ConfigureCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "configure",
        abstract: "Show or change a camera's configuration.",
        discussion: """
            The change is applied completely or not at all, and lasts until the daemon ends; for a permanent one see \
            tintyped.yaml(5). Settings that you leave out stay as they are; “default” resets a setting. Without \
            any setting, the command shows the configuration.
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var settings: SettingOptions

    @Argument(help: .camera, completion: Completion.cameras)
    var camera: String?

    func answer() async throws {
        let report = try await asking(camera) { connection, name in
            let report = try await connection.configuration(of: name)
            guard settings.isGiven else { return report }
            return try await connection.configure(
                settings.applied(to: report.configuration),
                of: name,
                ifRevision: report.revision
            )
        }
        guard !isJSON else { return try write(json: report) }
        try StandardStream.output.write(ConfigurationText.text(report))
    }
}
