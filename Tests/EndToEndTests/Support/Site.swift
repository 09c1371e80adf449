// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import tintype

/// Temporary folder with a socket, a spool and the processes of a test.
///
/// Its end kills every process and removes the folder.
final class Site: Sendable {
    let folder: String
    var socket: String { "\(folder)/sock" }
    var spool: String { "\(folder)/spool" }
    var client: PatientClient { PatientClient(socket: socket) }
    private let children = Mutex<[Child]>([])

    private init(_ folder: String) { self.folder = folder }

    /// Runs `body` in a new site and cleans up.
    static func with<Result>(_ body: (Site) async throws -> Result) async throws -> Result {
        try await withTemporaryFolder { folder in
            let site = Site(folder)
            defer { for child in site.children.withLock(\.self) { child.end() } }
            return try await body(site)
        }
    }

    /// Runs `body` in a new site with a daemon that has these pattern cameras.
    static func serving<Result>(_ patterns: String..., body: (Site, Child) async throws -> Result) async throws
        -> Result
    {
        try await with { site in try await body(site, try await site.startDaemon(patterns)) }
    }

    func write(_ text: String, to name: String, isProgram: Bool = false) throws -> String {
        let path = "\(folder)/\(name)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        if isProgram { try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path) }
        return path
    }

    /// Starts a process that ends with the site.
    func start(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws -> Child {
        let child = try Child(program, arguments, in: folder, environment: environment)
        children.withLock { $0.append(child) }
        return child
    }

    /// Command line of a daemon in this site, with its own socket unless `isPassed`; writes `tintyped.yaml`.
    func daemonCommand(
        _ patterns: [String],
        configuration: String = "{}\n",
        spool: String? = nil,
        isPassed: Bool = false
    ) throws -> [String] {
        let file = try write(configuration, to: "tintyped.yaml")
        let own = isPassed ? [] : ["--socket", socket]
        // A stop on a busy machine is as clean as on an idle one.
        let stop = ["--stop-limit", "30s"]
        return [Programs.daemon, "--config", file, "--spool", spool ?? self.spool, "--state", "\(folder)/state"] + stop
            + own + patterns.flatMap { ["--pattern", $0] }
    }

    /// Starts a daemon without waiting for it.
    func launchDaemon(
        _ patterns: [String],
        configuration: String = "{}\n",
        spool: String? = nil,
        environment: [String: String] = [:]
    ) throws -> Child {
        let command = try daemonCommand(patterns, configuration: configuration, spool: spool)
        return try start(command[0], Array(command.dropFirst()), environment: environment)
    }

    /// Starts a daemon and waits until it answers.
    func startDaemon(
        _ patterns: [String],
        configuration: String = "{}\n",
        spool: String? = nil,
        environment: [String: String] = [:]
    ) async throws -> Child {
        let daemon = try launchDaemon(patterns, configuration: configuration, spool: spool, environment: environment)
        try await eventually("tintyped serves") {
            if let status = daemon.poll() {
                throw Child.Failure(description: "tintyped ended with \(status) at its start: \(daemon.errors)")
            }
            return (try? await client.health()) != nil
        }
        return daemon
    }

    /// Runs `tintype` with the site's socket; stills and bursts without a deadline get ten minutes.
    func tintype(_ arguments: String...) async throws -> Child.Outcome {
        let isHasty = ["still", "burst"].contains(arguments.first) && !arguments.contains("--deadline")
        let all = arguments + (isHasty ? ["--deadline", "10m"] : [])
        return try await run(Programs.command, all, environment: ["TINTYPE_SOCKET": socket])
    }

    /// Shell function with the same default deadline.
    private static let patience = """
        tintype() {
            case " ${1:-} $* " in
            *" --deadline "*) ;;
            " still "* | " burst "*) set -- "$@" --deadline 10m ;;
            esac
            command tintype "$@"
        }

        """

    /// Runs a shell line with the site's socket and the built programs in its path.
    func shell(_ line: String) async throws -> Child.Outcome {
        let path = "\(Programs.folder.path):/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        return try await run(
            "/bin/bash",
            ["-eu", "-o", "pipefail", "-c", Self.patience + line],
            environment: ["TINTYPE_SOCKET": socket, "PATH": path]
        )
    }

    /// Starts a Python program of `Tests/Support/clients`.
    func startPython(_ name: String, _ arguments: [String] = []) throws -> Child {
        let program = Programs.repository.appending(path: "Tests/Support/clients/\(name).py").path
        // -B writes no bytecode there.
        return try start(Programs.python, ["-B", program] + arguments)
    }

    /// Runs a Python program of `Tests/Support/clients` and returns its output; a failure is an issue.
    func python(_ name: String, _ arguments: [String]) async throws -> String {
        let outcome = try await startPython(name, arguments).outcome()
        #expect(outcome.status == 0, "\(name): \(outcome.errors)")
        return outcome.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func run(
        _ program: String,
        _ arguments: [String],
        environment: [String: String]
    ) async throws -> Child.Outcome {
        try await start(program, arguments, environment: environment).outcome()
    }
}
