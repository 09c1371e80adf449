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
            if let word = SystemCalls.malformedArgument {
                throw ValidationError("The argument “\(word)” is not UTF-8. Give names in UTF-8.")
            }
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
                let isWritten = (try? message.write()) != nil
                // Help, the version or a script for completion that nothing took is no success.
                exit(message.status == 0 && !isWritten ? EX_IOERR : message.status)
            }
            try? failure.write(json: json)
            exit(failure.status)
        }
    }
}
