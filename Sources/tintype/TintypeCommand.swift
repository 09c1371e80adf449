// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Glibc

/// The process: reads the command line, runs the command, reports a failure and gives its exit status.
@main
enum TintypeCommand {
    static func main() async {
        StandardStream.prepare()
        var json = false
        do {
            var command = try RootCommand.parseAsRoot()
            if let command = command as? any DaemonCommand {
                json = command.isJSON
                try await command.answer()
            } else {
                try command.run()
            }
        } catch {
            guard let failure = FailureReport(error) else { RootCommand.exit(withError: error) }
            // Where stderr is closed too there is nobody left to tell but the exit status.
            try? StandardStream.error.write(failure.text(json: json))
            exit(failure.status)
        }
    }
}
