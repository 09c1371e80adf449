// SPDX-License-Identifier: Apache-2.0
internal import Glibc

extension SystemCalls {
    /// True if `path` is a regular file that this process may execute (access(2)).
    static func mayRun(_ path: String) -> Bool {
        guard let mode = try? mode(path), mode & S_IFMT == S_IFREG else { return false }
        return unsafe access(path, X_OK) == 0
    }

    /// Starts a program and returns its pid (posix_spawn(3)).
    ///
    /// Its stdin is `input`, and its stdout is our stderr. SIGPIPE, which this process ignores, has its default action.
    static func start(
        _ program: String,
        _ arguments: [String],
        _ environment: [String: String],
        input: CInt
    ) throws(SystemError) -> pid_t {
        var argv: [UnsafeMutablePointer<CChar>?] = unsafe ([program] + arguments).map { unsafe strdup($0) }
        unsafe argv.append(nil)
        var envp: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") }
        unsafe envp.append(nil)
        defer {
            for index in 0...arguments.count { unsafe free(argv[index]) }
            for index in 0..<environment.count { unsafe free(envp[index]) }
        }
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        var process: pid_t = 0
        let code = unsafe posix_spawn(&process, program, &actions, &attributes, &argv, &envp)
        guard code == 0 else { throw SystemError(code: code) }
        return process
    }

    /// Exit status of a child, 128 + N for signal N, after which its pid may be reused; nil while it runs (waitpid(2)).
    static func status(of process: pid_t) throws(SystemError) -> CInt? {
        var status: CInt = 0
        guard try result({ unsafe waitpid(process, &status, WNOHANG) }) == process else { return nil }
        // WIFEXITED and related macros are not imported into Swift.
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    /// Blocks until a child has ended, without reaping it (waitid(2) with WNOWAIT).
    static func awaitEnd(of process: pid_t) {
        var info = unsafe siginfo_t()
        // Fails only if there is no such child.
        _ = try? result { unsafe waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) }
    }

    /// True if this process ignores a signal, for example after nohup(1) (sigaction(2)).
    static func isIgnored(_ signal: CInt) -> Bool {
        let action = UnsafeMutablePointer<sigaction>.allocate(capacity: 1)
        defer { unsafe action.deallocate() }
        guard unsafe sigaction(signal, nil, action) == 0 else { return false }
        // The handler is the first member. SIG_IGN, a macro that Swift cannot compare, is 1.
        return unsafe UnsafeRawPointer(action).load(as: UInt.self) == 1
    }

    /// Connected pair of unnamed sockets with close-on-exec (socketpair(2)).
    static func socketPair() throws(SystemError) -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try result { unsafe socketpair(AF_UNIX, kind, 0, &ends) }
        return (ends[0], ends[1])
    }
}
