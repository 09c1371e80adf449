// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

struct ReloadCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Reload tintyped's configuration, and wait for the result.",
        discussion: """
            Cameras with an unchanged configuration keep streaming. An invalid configuration is refused with its file, \
            line and key, and the old one stays in force; so is one with another socket, state folder or spool folder, \
            which needs a restart.
            """
    )

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        try write(try await client.reload()) { report in
            let parts = [
                ("kept", report.kept), ("changed", report.changed), ("added", report.added),
                ("removed", report.removed),
            ]
            let lines = parts.filter { !$0.1.isEmpty }.map { name, cameras -> PrintedText in
                "\(name): \(cameras.joined(separator: " "))\n"
            }
            return "The configuration was read again.\n" + PrintedText(lines)
        }
    }
}
