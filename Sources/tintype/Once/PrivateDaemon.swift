// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Subprocess
internal import SystemPackage
internal import TintypeModel

/// A tintyped that serves only this command and ends with it.
///
/// The connection is an unnamed socket pair whose other end is the daemon's stdin. The kernel closes this end however
/// the command ends, even by SIGKILL, and the daemon exits when its only client is gone. No files are created.
enum PrivateDaemon {
    /// Starts a daemon for `body`, and returns once it has exited; throws ``ClientError`` if tintyped is missing or
    /// exits early, or the error of `body`, with remedies for a daemon that is no service.
    static func withConnection<Answer>(
        _ arguments: [String],
        _ body: (ControlConnection) async throws -> Answer
    ) async throws -> Answer {
        let own = SystemCalls.link("/proc/self/exe").map(\.enclosingFolder)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let program = try find(beside: own, path: path, mayRun: SystemCalls.mayRun)
        let (ours, its) = try OutputError.naming("make sockets for", program, try SystemCalls.socketPair())
        // The daemon reports failures on the connection; everything else goes to our stderr.
        let running = Task {
            try await Subprocess.run(
                .path(FilePath(program)),
                arguments: Arguments(["--private", "--log-level", "critical"] + arguments),
                input: .fileDescriptor(FileDescriptor(rawValue: its), closeAfterSpawningProcess: true),
                output: .fileDescriptor(.standardError, closeAfterSpawningProcess: false),
                error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false)
            ).terminationStatus
        }
        let connection = try await ControlConnection.adopt(ours, as: program)
        let result: Result<Answer, any Error>
        do { result = .success(try await body(connection)) } catch { result = .failure(error) }
        await connection.close()
        let status = try await status(of: running, program)
        return try result.mapError { error in
            switch error {
            case let error as ClientError: error.withoutService(program, status: status)
            case let problem as Problem: problem.withoutService
            default: error
            }
        }.get()
    }

    /// Exit status of the daemon, 128 + N for signal N; nil if unknown, or if it has not exited within 2 s.
    ///
    /// It takes under a second unless a driver call blocks it in the kernel; then it is killed once the call returns.
    /// Throws ``ClientError`` if the daemon was not started.
    private static func status(of daemon: Task<TerminationStatus, any Error>, _ program: String) async throws -> CInt? {
        let (statuses, status) = AsyncThrowingStream.makeStream(of: CInt?.self)
        Task {
            do {
                status.yield(try await daemon.value.ofShell)
            } catch let error as SubprocessError where [.spawnFailed, .executableNotFound].contains(error.code) {
                let reason = error.underlyingError.map { ErrnoText.of($0.rawValue) } ?? "\(error)"
                let remedy = "Install tintyped again."
                status.finish(throwing: ClientError(.connection, "start \(program): \(reason).", remedy: remedy))
            } catch {
                // No status was left, because this process was started with SIGCHLD ignored.
                status.yield(nil)
            }
        }
        let limit = Task {
            try await Task.sleep(for: .seconds(2))
            daemon.cancel()
            status.yield(nil)
        }
        defer { limit.cancel() }
        return try await statuses.first { _ in true } ?? nil
    }

    /// In the folder of this command, if known, PATH, then `../libexec/tintype`; throws the kind `missing`.
    static func find(beside own: String?, path: String, mayRun: (String) -> Bool) throws(ClientError) -> String {
        // Omits empty elements of PATH: they mean the working folder, where a program of this name may be anyone's.
        let folders = path.split(separator: ":").map(String.init)
        let libexec = own.map { "\($0.enclosingFolder)/libexec/tintype" }
        for folder in [own].compactMap(\.self) + folders + [libexec].compactMap(\.self) {
            let program = "\(folder)/tintyped"
            if mayRun(program) { return program }
        }
        let places = "beside this command\(own.map { " (\($0))" } ?? ""), in PATH or in \(libexec ?? "libexec")"
        let remedy = "Install it there, or add its folder to PATH."
        throw ClientError(.missing, "There is no tintyped \(places).", remedy: remedy)
    }
}

// The usual remedies assume a service with a socket and a configuration; --once has neither.

extension Problem {
    var withoutService: Problem {
        var problem = self
        problem.remedy =
            switch code {
            case .cameraBusy: "If it is tintyped (“tintype status”), leave out --once. \(remedy)"
            case .cameraNotFound: "Plug one in, or give its node by --device, such as /dev/video0."
            case .cameraAmbiguous: "Give the node of one of them by --device, such as /dev/video0."
            case .cameraDenied:
                "Run the command as a user who may read and write the node, usually a member of the group video."
            case .cameraRestricted:
                "Allow the node in the container or the unit that runs this command (DeviceAllow=char-video4linux rw)."
            case .deviceLost: "Check the camera's cable and port, and see the kernel's log (sudo journalctl -k)."
            case .deadlineExceeded: "Allow more time (--deadline), and check the camera's cable and port."
            default: remedy
            }
        return problem
    }
}

extension ClientError {
    /// Adds --once to the remedy if no daemon runs.
    var suggestingOnce: ClientError {
        guard kind == .missing || kind == .refused else { return self }
        return ClientError(kind, detail, remedy: "\(remedy) “tintype still --once -o FILE” needs no running daemon.")
    }

    /// Adapts the remedy to --once, and adds the exit status of the daemon at path `program`; nil if unknown.
    func withoutService(_ program: String, status: CInt?) -> ClientError {
        guard kind == .closed, let status, status != 0 else {
            let remedy =
                kind == .deadline
                ? "Allow more time (--deadline); if that does not help, see the kernel's log (sudo journalctl -k)."
                : "Ask again; if that does not help, install tintype and tintyped of one version."
            return ClientError(kind, detail, remedy: remedy)
        }
        let ending = status > 128 ? "was ended by signal \(status - 128)" : "ended with status \(status)"
        let remedy = status > 128 ? "Ask again." : "Its own message is above."
        return ClientError(.closed, "\(program) \(ending) before it had answered.", remedy: remedy)
    }
}
