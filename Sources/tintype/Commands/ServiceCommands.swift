// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import FoundationEssentials
internal import Glibc
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

struct AccessCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "access",
        abstract: "Show your access, or that of another user, and the rules that grant it.",
        discussion: "The rules are in the configuration (access). The access of another user takes the role admin."
    )

    @OptionGroup var shared: SharedOptions

    @Option(name: .customLong("as"), help: ArgumentHelp("Show the access of this user.", valueName: "user"))
    var user: String?

    func validate() throws {
        guard let user, Accounts.user(user) == nil else { return }
        throw ValidationError("There is no user “\(user)”. Give a name or a number of one (getent passwd lists them).")
    }

    func run() async throws {
        // A uid without an account has no groups.
        let account = user.flatMap { user in Accounts.account(user) ?? Accounts.user(user).map { ($0, []) } }
        try write(try await client.access(of: account), Self.text)
    }

    static func text(_ report: AccessReport) -> PrintedText {
        let whole = report.role.map { "the role \($0.rawValue) for every camera" } ?? "no role for every camera"
        var text: PrintedText = "\(report.name) has \(whole).\n"
        for camera in report.cameras where camera.role != report.role {
            text += "camera \(camera.camera): \(camera.role.rawValue)\n"
        }
        for filter in report.frames { text += "stored frames: \(filter)\n" }
        if report.rules.isEmpty { text += "No rule of access is for it: it sees nothing.\n" }
        for rule in report.rules { text += "by: \(rule)\n" }
        return text
    }
}

struct TokenCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make a token for clients over TCP, and print the rule that grants it access.",
        discussion: """
            The token is printed on stdout and stored nowhere. The rule is printed on stderr, for access in the \
            configuration of tintyped, or added to the file of tokens beside it (--add). Run tintype reload afterwards; \
            with the package, the first token takes a restart of the service, which opens its port. No daemon has to \
            run: --socket is not used.
            """
    )

    @OptionGroup var shared: SharedOptions

    @Argument(help: "The name of the token in logs, such as dashboard.")
    var name: String

    @Option(help: "Its role: \(Role.words).")
    var role = Role.view

    @Option(help: "For this camera only. Repeatable.", completion: Completion.cameras)
    var camera: [String] = []

    @Flag(help: "Add the rule to the file of tokens.")
    var add = false

    @Option("The file of tokens, beside the configuration (default: /etc/tintype/tokens).", "path")
    var file: String?

    func validate() throws {
        if file != nil, !add { throw ValidationError("--file is for --add. Give both, or leave out --file.") }
        for word in [name] + camera where !CameraName.isValid(word) {
            throw ValidationError("“\(word)” is no name. \(CameraName.remedy)")
        }
    }

    func run() async throws {
        // With a test pattern, this daemon does not look for cameras.
        let new = try await PrivateDaemon.withConnection(["--pattern", "YUYV"]) { try await $0.makeToken() }
        // Quoted, because YAML would not read 12 or null as strings.
        let names = camera.map { "\"\($0)\"" }.joined(separator: ", ")
        let cameras = camera.isEmpty ? "" : ", cameras: [\(names)]"
        let rule = "{token: \"\(new.sha256)\", name: \"\(name)\", role: \(role.rawValue)\(cameras)}"
        let file = file ?? "/etc/tintype/tokens"
        if add { try append("  - \(rule)\n", to: file) }
        try write(new) { "\($0.token)\n" }
        guard !isJSON else { return }
        let text: PrintedText =
            add
            ? "\(file) has the rule. Apply it: tintype reload, or for the first token: systemctl restart tintyped\n"
            : "For the configuration, below access:\n  - \(rule)\n"
        try StandardStream.error.write(text)
        // Not into a log or a file beside that of the token.
        guard add, StandardStream.output.isTerminal, StandardStream.error.isTerminal else { return }
        try StandardStream.error.write("The page, signed in: http://127.0.0.1:8642/#token=\(new.token)\n")
    }

    private func append(_ line: String, to path: String) throws(OutputError) {
        if let text = try? String(contentsOfFile: path, encoding: .utf8), text.contains("name: \"\(name)\"") {
            throw OutputError("\(path) has a token “\(name)”.", remedy: "Give another name, or remove that rule.")
        }
        do throws(SystemError) {
            let descriptor = try SystemCalls.openForAppending(path, mode: 0o644)
            defer { close(descriptor) }
            // Of two commands at once, the second waits.
            try SystemCalls.lock(descriptor)
            let size = try SystemCalls.size(of: descriptor)
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            let end = text.isEmpty || text.hasSuffix("\n") ? "" : "\n"
            let start = text.split(separator: "\n").contains { $0.hasPrefix("access:") } ? "" : "access:\n"
            do throws(SystemError) {
                try SystemCalls.write(Array("\(end)\(start)\(line)".utf8), to: descriptor)
            } catch {
                // A part of a rule would be a fault of the file.
                ftruncate(descriptor, off_t(size))
                throw error
            }
        } catch {
            guard error.code == EACCES else { throw OutputError("write", path, error) }
            throw OutputError("write \(path): \(error).", remedy: "Run the command with sudo.")
        }
    }
}

extension Role: ExpressibleByArgument {}
