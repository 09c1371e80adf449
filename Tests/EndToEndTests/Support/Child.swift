// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import Synchronization
internal import TestSupport
internal import TintypeModel

/// Process started by a test, with output to files, so that no full pipe blocks it.
///
/// The C functions are `posix_spawn`, `waitpid` and `kill`. It is signalled only before it is waited for, so that the
/// signal never meets a process with a reused id.
final class Child: Sendable {
    struct Outcome {
        /// Exit status, or 128 plus the number of the signal that ended it.
        var status: Int32
        var output: [UInt8]
        var errors: String
        var text: String { String(decoding: output, as: UTF8.self) }

        func read<Value: Decodable>(_ type: Value.Type) throws -> Value { try WireFormat.decode(type, from: output) }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let pid: pid_t
    private let name: String
    private let outputPath: String
    private let errorsPath: String
    private let status = Mutex<Int32?>(nil)

    /// Starts `program` with only `PATH`, `HOME`, library paths, preloads and `environment` in its environment.
    ///
    /// env(1) executes it: a missing program exits with 127.
    init(_ program: String, _ arguments: [String], in folder: String, environment: [String: String] = [:]) throws {
        name = URL(filePath: program).lastPathComponent
        let stem = "\(folder)/\(UUID().uuidString)"
        outputPath = "\(stem).out"
        errorsPath = "\(stem).err"
        let own = ProcessInfo.processInfo.environment
        var variables = environment
        for key in ["PATH", "HOME", "LD_LIBRARY_PATH"] where variables[key] == nil { variables[key] = own[key] }
        // The tests' own library (Tests/Support/no-flush.c) comes before one of a test.
        let preloaded = [own["LD_PRELOAD"], environment["LD_PRELOAD"]].compactMap(\.self)
        if !preloaded.isEmpty { variables["LD_PRELOAD"] = preloaded.joined(separator: " ") }
        pid = try Self.spawn(
            ["/usr/bin/env", "-C", folder, program] + arguments,
            variables.map { "\($0.key)=\($0.value)" },
            output: outputPath,
            errors: errorsPath
        )
    }

    deinit { end() }

    var output: String { (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? "" }

    var errors: String { (try? String(contentsOfFile: errorsPath, encoding: .utf8)) ?? "" }

    /// Sends a signal unless the process was waited for.
    func signal(_ number: Int32) {
        status.withLock { if $0 == nil { _ = kill(pid, number) } }
    }

    /// Exit status, or nil while the process runs.
    func poll() -> Int32? {
        status.withLock { status in
            if status != nil { return status }
            var code: Int32 = 0
            guard unsafe waitpid(pid, &code, WNOHANG) == pid else { return nil }
            // WIFEXITED and its like are macros.
            status = code & 0x7F == 0 ? code >> 8 & 0xFF : 128 + code & 0x7F
            return status
        }
    }

    /// Ends the process by SIGKILL and reaps it, if it still runs.
    ///
    /// Blocks until the kernel has ended it.
    func end() {
        status.withLock { status in
            guard status == nil else { return }
            _ = kill(pid, SIGKILL)
            var code: Int32 = 0
            while unsafe waitpid(pid, &code, 0) < 0, errno == EINTR {}
            status = 128 + SIGKILL
        }
    }

    func outcome() async throws -> Outcome {
        let status = try await eventually("\(name) ends. It wrote: \(errors)") { self.poll() }
        return Outcome(status: status, output: [UInt8](try Data(contentsOf: URL(filePath: outputPath))), errors: errors)
    }

    private static func spawn(
        _ arguments: [String],
        _ environment: [String],
        output: String,
        errors: String
    ) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        let flags = O_WRONLY | O_CREAT | O_TRUNC
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, output, flags, 0o644)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, errors, flags, 0o644)
        // Threads of the test block signals; child processes must not.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var argv: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) }
        unsafe argv.append(nil)
        var envp: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) }
        unsafe envp.append(nil)
        defer { for index in 0..<arguments.count { unsafe free(argv[index]) } }
        defer { for index in 0..<environment.count { unsafe free(envp[index]) } }
        var pid: pid_t = 0
        let code = unsafe posix_spawn(&pid, "/usr/bin/env", &actions, &attributes, &argv, &envp)
        guard code == 0 else {
            let text = unsafe String(cString: strerror(code))
            throw Failure(description: "posix_spawn \(arguments[0]): \(text).")
        }
        return pid
    }
}
