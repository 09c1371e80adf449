// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Glibc
internal import TintypeModel

/// The process: reads the command line, runs the command, reports a failure and gives its exit status.
@main
enum TintypeCommand {
    static func main() async {
        RuntimeLog.silence()
        StandardStream.prepare()
        let arguments = Array(CommandLine.arguments.dropFirst())
        var json = false
        do {
            var command = try await RootCommand.asyncParseAsRoot(arguments)
            if let command = command as? any DaemonCommand {
                json = command.isJSON
                try await command.answer()
            } else {
                try command.run()
            }
        } catch {
            // Where stderr is closed, too, only the exit status is left to tell.
            guard let failure = FailureReport(error, arguments) else {
                let message = ParserMessage(error, arguments)
                try? message.write()
                exit(message.status)
            }
            try? failure.write(json: json)
            exit(failure.status)
        }
    }
}
