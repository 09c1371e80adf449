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
            var text: PrintedText = "The configuration was read again.\n"
            for (name, cameras) in [
                ("kept", report.kept), ("changed", report.changed), ("added", report.added),
                ("removed", report.removed),
            ] where !cameras.isEmpty { text += "\(name): \(cameras.joined(separator: " "))\n" }
            return text
        }
    }
}

struct WatchCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print events as they occur, a line each, until Ctrl-C.",
        discussion: """
            Waits for a tintyped that stops, and resumes with the events that it missed. With --json each line is an event \
            as JSON.
            """
    )

    @OptionGroup var shared: SharedOptions

    @Argument(help: "Show events of these cameras only.", completion: Completion.cameras)
    var cameras: [String] = []

    @Option(
        help: """
            Show events of this kind only: \(Event.Kind.allCases.map(\.rawValue).joined(separator: ", ")). Repeatable.
            """
    )
    var kind: [Event.Kind] = []

    @Option(name: .customLong("after"), help: ArgumentHelp("Begin after the event with this id.", valueName: "id"))
    var last: Int?

    func run() async throws {
        for camera in cameras { _ = try CameraChoice.checked(camera) }
        let wanted = EventRequest(cameras: cameras.isEmpty ? nil : cameras, kinds: kind.isEmpty ? nil : kind)
        var last = last
        // Without a first connection, an absent daemon is an error; later it is expected to come back.
        var (isConnected, isAwaited) = (false, false)
        while true {
            do {
                try await client.withConnection { connection in
                    if isAwaited { try? StandardStream.error.write("tintyped is there again.\n") }
                    (isConnected, isAwaited) = (true, false)
                    try await connection.events(wanted, after: &last) {
                        try writeLine($0) { "\($0.at) \($0.kind.rawValue): \($0.detail)\n" }
                    }
                }
            } catch let error as ClientError {
                guard isConnected, error.isPassing else { throw error }
            } catch let problem as Problem {
                guard problem.code == .stopping else { throw problem }
            }
            if !isAwaited { try? StandardStream.error.write("tintyped has gone; waiting for it.\n") }
            isAwaited = true
            try await Task.sleep(for: .seconds(1))
        }
    }

}

extension Event.Kind: ExpressibleByArgument {}
