// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import TintypeModel

/// A tintyped that serves only this command and ends with it.
///
/// The connection is an unnamed socket pair whose other end is the daemon's stdin. The kernel closes this end however
/// the command ends, even by SIGKILL, and the daemon exits when its only client is gone. No files are created.
struct PrivateDaemon {
    /// Maximum wait for the daemon's exit, which takes under a second unless a driver call blocks it in the kernel.
    private static let ending = DispatchTimeInterval.seconds(2)

    private let process: pid_t

    /// Starts a daemon for `body`, and returns once it has exited; throws ``ClientError`` if tintyped is missing or
    /// exits early, or the error of `body`, with remedies for a daemon that is no service.
    static func withConnection<Answer>(
        _ arguments: [String],
        _ body: (ControlConnection) async throws -> Answer
    ) async throws -> Answer {
        let own = SystemCalls.link("/proc/self/exe").map(\.enclosingFolder)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let program = try DaemonProgram.find(beside: own, path: path, mayRun: SystemCalls.mayRun)
        let (daemon, connection) = try await start(program, arguments)
        do {
            let answer = try await body(connection)
            await connection.close()
            _ = await daemon.status()
            return answer
        } catch {
            await connection.close()
            let status = await daemon.status()
            switch error {
            case let error as ClientError: throw error.withoutService(program, status: status)
            case let problem as Problem: throw problem.withoutService
            default: throw error
            }
        }
    }

    private static func start(_ program: String, _ arguments: [String]) async throws -> (Self, ControlConnection) {
        let process: pid_t
        let ours: CInt
        do throws(SystemError) {
            let ends = try SystemCalls.socketPair()
            defer { _ = Glibc.close(ends.1) }
            ours = ends.0
            // The daemon reports failures on the connection; everything else goes to our stderr.
            let arguments = ["--private", "--log-level", "critical"] + arguments
            let environment = ProcessInfo.processInfo.environment
            process = try SystemCalls.start(program, arguments, environment, input: ends.1)
        } catch {
            throw ClientError(.connection, "start \(program): \(error).", remedy: "Install tintyped again.")
        }
        return (PrivateDaemon(process: process), try await ControlConnection.adopt(ours, as: program))
    }

    /// Exit status of the daemon, 128 + N for signal N; nil if unknown or if a driver keeps the daemon from exiting.
    private func status() async -> CInt? {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        // On a thread outside the cooperative pool.
        DispatchQueue.global().async { [process] in
            SystemCalls.awaitEnd(of: process)
            end.finish()
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.ending) { end.finish() }
        for await _ in ends {}
        do throws(SystemError) {
            if let status = try SystemCalls.status(of: process) { return status }
        } catch {
            // ECHILD: the daemon left no status, because this process was started with SIGCHLD ignored.
            return nil
        }
        // Takes effect once the driver call returns.
        kill(process, SIGKILL)
        return nil
    }
}

enum DaemonProgram {
    private static let name = "tintyped"

    /// In the folder of this command, if known, PATH, then `../libexec/tintype`; throws the kind `missing`.
    static func find(beside own: String?, path: String, mayRun: (String) -> Bool) throws(ClientError) -> String {
        // Omits empty elements of PATH: they mean the working folder, where a program of this name may be anyone's.
        let folders = path.split(separator: ":").map(String.init)
        let libexec = own.map { "\($0.enclosingFolder)/libexec/tintype" }
        for folder in [own].compactMap(\.self) + folders + [libexec].compactMap(\.self) {
            let program = "\(folder)/\(name)"
            if mayRun(program) { return program }
        }
        let places = "beside this command\(own.map { " (\($0))" } ?? ""), in PATH or in \(libexec ?? "libexec")"
        let remedy = "Install it there, or add its folder to PATH."
        throw ClientError(.missing, "There is no \(name) \(places).", remedy: remedy)
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
