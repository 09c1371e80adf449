// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import TintypeModel

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
                    try await connection.events(wanted, after: &last) { try StandardStream.output.write(try line($0)) }
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

    private func line(_ event: Event) throws -> [UInt8] {
        if isJSON { return try JSONText.encode(event, pretty: false) + [UInt8(ascii: "\n")] }
        let text: PrintedText = "\(event.at) \(event.kind.rawValue): \(event.detail)\n"
        return Array(text.string.utf8)
    }
}

extension Event.Kind: ExpressibleByArgument {}
