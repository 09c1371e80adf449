// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeClient
internal import TintypeModel

/// The command `tintype configure [CAMERA]`.
struct ConfigureCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "configure",
        abstract: "Change how a camera is configured, or tell how it is.",
        discussion: """
            The change is made whole or not at all, and lasts until the daemon ends; tintyped.yaml(5) is for good. \
            What is not given stays; “default” takes a setting back. Without any, the configuration is only told.
            """
    )

    @OptionGroup var shared: SharedOptions
    @OptionGroup var settings: SettingOptions

    @Argument(help: "The camera; may be left out where there is only one.")
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
