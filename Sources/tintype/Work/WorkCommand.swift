// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import FoundationEssentials
internal import TintypeModel

struct WorkCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "work",
        abstract: "Upload pictures, make films and clips, as the program of tintype-worker.service.",
        discussion: """
            Waits for tintyped, gets the jobs from it, and does them with rclone(1), curl(1) and ffmpeg(1), until it is \
            ended by SIGTERM or Ctrl-C. A daemon has one worker; another one waits.
            """
    )

    @OptionGroup var shared: SharedOptions

    @Option(
        help: ArgumentHelp(
            "The configuration of rclone (default: rclone.conf in STATE_DIRECTORY, else rclone's own).",
            valueName: "file"
        ),
        completion: .file()
    )
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The folder for pictures on their way (default: CACHE_DIRECTORY, else a temporary one).",
            valueName: "folder"
        ),
        completion: .directory
    )
    var cache: String?

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let state = environment["STATE_DIRECTORY"].map { "\($0)/rclone.conf" }
        let given = cache ?? environment["CACHE_DIRECTORY"]
        let folder = try given ?? Self.temporaryFolder()
        defer { if given == nil { WorkFolder.remove(folder) } }
        let settings = try WorkSettings(config: config ?? state, cache: folder)
        try await Interruption.cancelling {
            do {
                try await waitAndWork(settings)
            } catch is CancellationError {}
        }
    }

    private static func temporaryFolder() throws -> String {
        let name = "tintype-work-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        let folder = FileManager.default.temporaryDirectory.appending(path: name).path
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        return folder
    }

    /// Connects again after each end, and says once why it waits.
    private func waitAndWork(_ settings: WorkSettings) async throws {
        var said: String?
        while true {
            var reason = "tintyped has gone."
            do {
                try await client.withConnection { connection in
                    try await Worker(settings, client).work(connection) { said = nil }
                }
            } catch let error as ClientError where error.isPassing {
                reason = error.detail
            } catch let problem as Problem where [.stopping, .configurationConflict].contains(problem.code) {
                reason = problem.detail
            }
            try Task.checkCancellation()
            if reason != said { try? StandardStream.error.write("\(reason) Waiting for it.\n") }
            said = reason
            try await Task.sleep(for: .seconds(1))
        }
    }
}
