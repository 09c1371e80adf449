// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Glibc
internal import TintypeModel

/// Parses the command line, runs the command, reports a failure and exits with its status.
@main
enum TintypeCommand {
    static func main() async {
        RuntimeLog.silence()
        StandardStream.prepare()
        if let fault = ProgramArguments.fault() {
            try? StandardStream.error.write("tintype: \(fault)\n")
            exit(EX_USAGE)
        }
        let arguments = Array(CommandLine.arguments.dropFirst())
        var json = false
        do {
            if let word = SystemCalls.malformedArgument {
                throw ValidationError("The argument “\(word)” is not UTF-8. Give names in UTF-8.")
            }
            var command = try await RootCommand.asyncParseAsRoot(arguments)
            if var command = command as? any DaemonCommand {
                json = command.isJSON
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            // If stderr is closed, too, only the exit status remains.
            guard let failure = FailureReport(error, arguments) else {
                let message = ParserMessage(error, arguments)
                let isWritten = (try? message.write()) != nil
                // Output that could not be written (help, version, completion script) is a failure.
                exit(message.status == 0 && !isWritten ? EX_IOERR : message.status)
            }
            try? failure.write(json: json)
            exit(failure.status)
        }
    }
}

struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tintype",
        abstract: "Take stills from the cameras that tintyped keeps ready.",
        discussion: ExitStatusTable.text,
        version: TintypeVersion.current,
        subcommands: [
            AccessCommand.self, BurstCommand.self, CamerasCommand.self, ConfigureCommand.self,
            ControlsCommand.self, DoctorCommand.self, FilmCommand.self, FormatsCommand.self, FramesCommand.self,
            HoldCommand.self, JobsCommand.self, RecordCommand.self, ReleaseCommand.self, ReloadCommand.self,
            ScanCommand.self, StartCommand.self, StatusCommand.self, StillCommand.self, StopCommand.self,
            TokenCommand.self, ToleranceCommand.self,
            TriggerCommand.self, UploadCommand.self, WatchCommand.self, WorkCommand.self,
        ]
    )

    /// ArgumentParser passes options before the subcommand to the subcommand's group of the same name.
    @OptionGroup var shared: SharedOptions
}
