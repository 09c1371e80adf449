// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import Testing
internal import TintypeModel

struct BuiltCommand {
    struct Outcome {
        let status: Int32
        let isSignalled: Bool
        let output: [UInt8]
        let errors: String
        var text: String { String(decoding: output, as: UTF8.self) }

        func read<Value: Decodable>(_ type: Value.Type) throws -> Value { try WireFormat.decode(type, from: output) }

        /// The JSON object on stdout.
        var object: [String: Any] {
            get throws { try #require(try JSONSerialization.jsonObject(with: Data(output)) as? [String: Any]) }
        }

        /// The problem in JSON on stderr.
        var problem: Problem { get throws { try WireFormat.decode(Problem.self, from: errors.utf8) } }
    }

    let folder: String
    let socket: String

    /// Path of `tintype`, beside the executable of the tests.
    private static var path: String {
        get throws {
            let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(filePath: own).deletingLastPathComponent().appending(path: "tintype").path
        }
    }

    /// A command without a daemon.
    static let alone = BuiltCommand(folder: NSTemporaryDirectory(), socket: "/nowhere/tintyped.sock")

    /// Runs `body` with a command and its daemon, which replies with the result or error of `answer`.
    static func asking(
        _ answer: @escaping @Sendable (FakeDaemon.Request) throws -> FakeDaemon.Reply,
        _ body: (BuiltCommand, FakeDaemon) async throws -> Void
    ) async throws {
        let reply: @Sendable (FakeDaemon.Request) -> FakeDaemon.Reply = { request in
            do {
                return try answer(request)
            } catch {
                let problem = error as? Problem
                return .problem(problem ?? Problem(.internalError, "\(error)", remedy: "Mend the test."))
            }
        }
        try await FakeDaemon.serving(reply) { daemon in
            try await body(BuiltCommand(folder: daemon.folder, socket: daemon.socket), daemon)
        }
    }

    /// Runs `tintype` with `arguments`, with stdout and stderr in files.
    func run(_ arguments: String...) async throws -> Outcome {
        try await launch(try Self.path, arguments)
    }

    /// Runs `script` in bash with the path of `tintype` as `$T`.
    func shell(_ script: String) async throws -> Outcome {
        try await launch("/bin/bash", ["-c", script])
    }

    /// Runs `script` on a terminal, optionally of `columns`; `text` has stdout and stderr.
    func terminal(_ script: String, columns: Int? = nil) async throws -> Outcome {
        let width = columns.map { "stty cols \($0); " } ?? ""
        return try await shell(
            "script -qec \"\(width)\(script.replacing("\"", with: "\\\""))\" /dev/null < /dev/null"
        )
    }

    func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))) }

    /// Runs `script`, whose last command replaces the shell, and signals it at the first request to `daemon`.
    func interrupting(_ script: String, by signals: CInt..., asking daemon: FakeDaemon) async throws -> Outcome {
        async let outcome = shell("echo $$ > pid; \(script)")
        var arrivals = daemon.arrivals.makeAsyncIterator()
        _ = await arrivals.next()
        let text = try String(contentsOf: URL(filePath: "\(folder)/pid"), encoding: .utf8)
        let process = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        // The command installs its signal handlers before its first request.
        for signal in signals { kill(process, signal) }
        return try await outcome
    }

    private func launch(_ program: String, _ arguments: [String]) async throws -> Outcome {
        let name = "\(folder)/\(UUID().uuidString)"
        let files = try ["out", "err"].map { suffix in
            _ = FileManager.default.createFile(atPath: "\(name).\(suffix)", contents: nil)
            return try FileHandle(forWritingTo: URL(filePath: "\(name).\(suffix)"))
        }
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder)
        process.environment = ["TINTYPE_SOCKET": socket, "T": try Self.path, "PATH": "/usr/bin:/bin", "TZ": "UTC"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = files[0]
        process.standardError = files[1]
        let (ends, feed) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in feed.finish() }
        try process.run()
        for await _ in ends {}
        let read = { (suffix: String) in [UInt8](try Data(contentsOf: URL(filePath: "\(name).\(suffix)"))) }
        let outcome = Outcome(
            status: process.terminationStatus,
            isSignalled: process.terminationReason == .uncaughtSignal,
            output: try read("out"),
            errors: String(decoding: try read("err"), as: UTF8.self)
        )
        for suffix in ["out", "err"] { try FileManager.default.removeItem(atPath: "\(name).\(suffix)") }
        return outcome
    }
}
