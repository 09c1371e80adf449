// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
internal import Logging
internal import TintypeAPI
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// tintyped(8).
@main
struct Tintyped: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tintyped",
        abstract: "Keep cameras ready, so that a picture is there on request.",
        discussion: """
            Serves an HTTP API on a Unix socket, for tintype(1) and curl(1), and stores pictures in a spool folder. \
            Without a configuration file it offers every camera that it finds and opens none until a client asks for it.
            """,
        version: "tintyped \(TintypeVersion.current)"
    )

    @Option(
        help: .init(
            "Read this configuration file, which must exist (default: \(DaemonConfiguration.defaultFile), if it exists).",
            valueName: "file"
        )
    )
    var config: String?

    @Option(help: .init("Listen on this Unix socket.", valueName: "path"))
    var socket: String?

    @Option(help: .init("Store pictures below this folder.", valueName: "folder"))
    var spool: String?

    @Option(help: .init("Store saved control profiles below this folder.", valueName: "folder"))
    var state: String?

    @Option(
        help: .init("Serve a test pattern, such as YUYV:1280x720@30. Repeatable.", valueName: "spec"),
        transform: Self.pattern
    )
    var pattern: [PatternSpec] = []

    @Option(help: .init("Serve this node, or the target of this link, as “camera”.", valueName: "path"))
    var device: String?

    @Flag(
        name: .customLong("private"),
        help: """
            Serve one client on standard input, and exit with it. Reads no configuration, creates no socket and stores \
            nothing; for “tintype still --once” and “tintype token”.
            """
    )
    var isPrivate = false

    @Flag(
        name: .customLong("demo"),
        help: """
            Show what tintyped can do: serve two drawn cameras and the web page on loopback, print a link to it, and store \
            everything in a temporary folder, which is removed at the end.
            """
    )
    var isDemo = false

    @Option(
        help: .init(
            "End the process this long after the request to stop, even if the stop is not complete (default: 900ms).",
            valueName: "duration"
        ),
        transform: Self.stopLimit
    )
    var stopLimit = ExitGuard.limit

    @Option(
        help: .init(
            "Log messages of this level and above (default: info; warning with --demo).",
            valueName: "level"
        )
    )
    var logLevel: LogLevel?

    @Flag(help: "Check the configuration, and its controls on the cameras, and exit: 0 if valid, 78 if not.")
    var check = false

    func validate() throws {
        let paths = [
            ("--config", config), ("--socket", socket), ("--spool", spool), ("--state", state), ("--device", device),
        ]
        for (flag, value) in paths where value == "" { throw ValidationError("\(flag) is empty. Give a path.") }
        let given =
            paths.filter { $0.1 != nil }.map(\.0) + (check ? ["--check"] : [])
            + (pattern.isEmpty ? [] : ["--pattern"]) + (isPrivate ? ["--private"] : [])
        if isDemo, let flag = given.first { throw Self.conflict(flag, "--demo") }
        let ofPrivate = ["--device", "--pattern", "--private"]
        if isPrivate, let flag = given.first(where: { !ofPrivate.contains($0) }) {
            throw Self.conflict(flag, "--private")
        }
    }

    private static func conflict(_ flag: String, _ other: String) -> ValidationError {
        ValidationError("\(flag) cannot be combined with \(other). Leave one out.")
    }

    static func main() async {
        RuntimeLog.silence()
        // Without its arguments, “tintyped --check” would start a daemon.
        if let fault = ProgramArguments.fault() {
            StandardError.write("tintyped: \(fault)")
            Glibc.exit(EX_USAGE)
        }
        await main(nil)
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        // The only clock of the process.
        let clock = SystemClock.system
        let isJournal = StandardError.isJournal(environment["JOURNAL_STREAM"])
        let settings: DaemonSettings
        var flags = flags
        // These are not services: variables such as NOTIFY_SOCKET belong to the service in which they were started.
        let isService = !isPrivate && !isDemo
        let demo = try makeDemo(environment)
        do {
            if isService { flags.passed = try PassedSockets(environment: environment) }
            demo?.apply(to: &flags)
            settings = try flags.settings()
        } catch {
            demo?.remove()
            let text = error is ConfigurationError ? "\(error)" : PrintableText.line("\(error)")
            // Lines without a level are missing from “journalctl -p warning”.
            let lines = text.split(separator: "\n").map {
                isJournal ? LogLine(.error, "\($0)", for: .journal).text : "\($0)"
            }
            StandardError.write(lines.joined(separator: "\n"))
            if !check { flags.passed.refuseClients(for: .seconds(1), by: clock) }
            throw ExitCode(ConfigurationError.exitStatus)
        }
        if check { return try await check(settings.configuration, by: clock) }
        let level = logLevel.flatMap { Logger.Level(rawValue: $0.rawValue) } ?? (demo == nil ? .info : .warning)
        let reader: LogLine.Reader = isJournal ? .journal : .person(clock)
        let writer = LogWriter(for: reader) { line in
            if isJournal { JournalSocket().write(line) } else { StandardError.write(line.text) }
        }
        let limiter = LogLimiter(clock: clock, put: writer.write)
        LoggingSystem.bootstrap { _ in JournalLogHandler(reader: reader, logLevel: level, write: limiter.write) }
        let logger = Logger(label: "tintyped")
        // A demo whose terminal is closed must not continue unseen.
        let exitGuard = ExitGuard(clock: clock, logger: logger, limit: stopLimit, stopsAtHangup: demo != nil) { limit in
            demo?.remove()
            limiter.flush()
            writer.flush(within: limit)
        }
        let busError = """
            SIGBUS: the end of a mapped file was cut off, or its disk fails. Nothing but tintyped may change \
            catalog.sqlite and the files beside it; look for errors of the disk in the kernel's log (dmesg).
            """
        BusError.report(LogLine(.critical, busError, for: reader).text)
        do {
            try exitGuard.arm()
        } catch {
            logger.critical("\(error)")
            exitGuard.leave(status: 1)
        }
        let isWatched = [nil, "\(getpid())"].contains(environment["WATCHDOG_PID"])
        let notifier = ServiceNotifier(
            address: isService ? environment["NOTIFY_SOCKET"] : nil,
            watchdog: isWatched ? environment["WATCHDOG_USEC"] : nil,
            clock: clock,
            logger: logger
        )
        let daemon = Daemon(settings: settings, clock: clock, logger: logger, exitGuard: exitGuard, notifier: notifier)
        let passed = flags.passed
        let reloading = Reloading(read: flags.settings, requests: exitGuard.reloadRequests, notifier: notifier)
        let status = await daemon.run { listening in
            try await Wiring.assemble(settings, passed, reloading, clock, logger) {
                await listening()
                guard let demo, !exitGuard.isStopping else { return }
                demo.startWorker()
                StandardError.write(demo.greeting, to: STDOUT_FILENO)
            }
        }
        exitGuard.leave(status: status)
    }

    private func makeDemo(_ environment: [String: String]) throws -> Demo? {
        guard isDemo else { return nil }
        do { return try Demo(environment: environment) } catch {
            StandardError.write("tintyped: \(PrintableText.line("\(error)"))")
            throw ExitCode(EXIT_FAILURE)
        }
    }

    var flags: DaemonFlags {
        var flags = DaemonFlags(workingFolder: FileManager.default.currentDirectoryPath)
        (flags.config, flags.socket, flags.spool, flags.state) = (config, socket, spool, state)
        (flags.device, flags.patterns, flags.isPrivate, flags.stopLimit) = (device, pattern, isPrivate, stopLimit)
        return flags
    }

    /// Throws the exit status if there are certain faults.
    private func check(_ configuration: DaemonConfiguration, by clock: any MonotonicClock) async throws {
        let file = flags.file
        guard let text = try ConfigurationFile.text(path: file, isOptional: config == nil) else {
            print(PrintableText.line("There is no \(file): the defaults are used."))
            return
        }
        let check = ConfigurationCheck(configuration, in: text, file: file)
        let thread = WorkerThreads(name: "tt-check", count: 1) {}
        // A driver that hangs must not block the check: its camera counts as unavailable.
        let patience = Duration.seconds(5)
        var asked: [Camera.Source: [ControlDescription]] = [:]
        let late = Problem(.driverStuck, "A driver does not answer.", remedy: "Unplug its camera.")
        for source in configuration.cameras.filter(\.namesControls).map(\.source) {
            let controls = try? await thread.perform(until: clock.now + patience, by: clock, otherwise: late) { _ in
                ConfigurationCheck.controls(of: source)
            }
            asked[source] = controls ?? nil
        }
        let (controls, accounts) = (check.controls { asked[$0] }, check.accounts())
        let sources = configuration.cameras.map(\.source)
        let scanner = CameraScanner(clock: clock, limit: patience)
        let seen = sources.isEmpty ? .init() : await scanner.sightings(sources)
        for doubt in check.doubts(seen) + accounts.doubts + controls.doubts {
            StandardError.write("warning: \(doubt)")
        }
        let faults = accounts.faults + controls.faults
        if !faults.isEmpty {
            StandardError.write("\(ConfigurationError(faults: faults))")
            throw ExitCode(ConfigurationError.exitStatus)
        }
        print(PrintableText.line("The configuration \(file) is good."))
    }

    @Sendable private static func pattern(_ text: String) throws -> PatternSpec {
        do throws(PatternSpecError) {
            return try PatternSpec(text)
        } catch {
            throw ValidationError(error.description)
        }
    }

    @Sendable private static func stopLimit(_ text: String) throws -> Duration {
        let range = ExitGuard.limits
        guard let limit = HumanDuration.parse(text), range.contains(limit) else {
            let ends = (HumanDuration.text(range.lowerBound), HumanDuration.text(range.upperBound))
            throw ValidationError("“\(text)” is not a duration from \(ends.0) to \(ends.1). Give one such as 2s.")
        }
        return limit
    }
}

/// Levels of `--log-level`, those of swift-log.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
    case trace, debug, info, notice, warning, error, critical
}
