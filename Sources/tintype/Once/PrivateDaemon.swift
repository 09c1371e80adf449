// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import TintypeModel

/// A tintyped that serves this command alone and ends with it.
///
/// The connection to it has no name: its other end is the daemon's stdin. The kernel closes this end however the
/// command ends, by SIGKILL too, and the daemon leaves when its only client has gone. No file must be removed, as
/// none is made.
struct PrivateDaemon {
    /// The longest that the command waits for its end: it leaves within a second, unless a driver holds it in the
    /// kernel.
    private static let ending = DispatchTimeInterval.seconds(2)

    private let process: pid_t

    /// Starts a daemon with these arguments, hands `body` the connection to it, and returns once it has ended.
    ///
    /// Throws ``ClientError`` where there is no tintyped or it ends before its reply, and what `body` throws; a
    /// remedy is one for a daemon that is no service.
    static func asking<Answer>(
        _ arguments: [String],
        _ body: (ControlConnection) async throws -> Answer
    ) async throws -> Answer {
        let environment = ProcessInfo.processInfo.environment
        let program = try DaemonProgram.find(environment: environment)
        let (daemon, connection) = try await start(program, arguments, environment)
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

    private static func start(
        _ program: String,
        _ arguments: [String],
        _ environment: [String: String]
    ) async throws -> (PrivateDaemon, ControlConnection) {
        let process: pid_t
        let ours: CInt
        do throws(SystemError) {
            let ends = try SystemCalls.socketPair()
            defer { _ = Glibc.close(ends.1) }
            ours = ends.0
            // Its failures are answered on the connection; what it cannot answer for goes to our stderr.
            let arguments = ["--private", "--log-level", "critical"] + arguments
            process = try SystemCalls.start(program, arguments, environment, input: ends.1)
        } catch {
            throw ClientError(.connection, "start \(program): \(error).", remedy: "Install tintyped again.")
        }
        return (PrivateDaemon(process: process), try await ControlConnection.adopt(ours, as: program))
    }

    /// Its exit status once it has ended, 128 and the number for a signal; nil where that cannot be told, or a driver
    /// keeps it from ending.
    private func status() async -> CInt? {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        // On a thread that no task needs.
        DispatchQueue.global().async { [process] in
            SystemCalls.awaitEnd(of: process)
            end.finish()
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.ending) { end.finish() }
        for await _ in ends {}
        do throws(SystemError) {
            if let status = try SystemCalls.status(of: process) { return status }
        } catch {
            // It has ended and left no status (ECHILD): this process was started with SIGCHLD ignored.
            return nil
        }
        // The kernel ends it as soon as the driver returns.
        kill(process, SIGKILL)
        return nil
    }
}

/// Where the program `tintyped` is.
enum DaemonProgram {
    private static let name = "tintyped"

    /// The path of the program: beside this command, in a folder of PATH, or in `../libexec/tintype` beside this
    /// command's folder, in this order.
    ///
    /// Throws ``ClientError`` of the kind `missing`, with the places that were searched.
    static func find(environment: [String: String]) throws(ClientError) -> String {
        let own = SystemCalls.link("/proc/self/exe").map(\.enclosingFolder)
        return try find(beside: own, path: environment["PATH"] ?? "", mayRun: SystemCalls.mayRun)
    }

    /// The same for a command in the folder `own`, nil if that cannot be told.
    static func find(
        beside own: String?,
        path: String,
        mayRun: (String) -> Bool
    ) throws(ClientError) -> String {
        // An empty part of PATH means the working folder, in which a program of this name may be any other's.
        let folders = path.split(separator: ":").map(String.init)
        let libexec = own.map { "\($0.enclosingFolder)/libexec/tintype" }
        for folder in [own].compactMap(\.self) + folders + [libexec].compactMap(\.self) {
            let program = "\(folder)/\(name)"
            if mayRun(program) { return program }
        }
        throw ClientError(
            .missing,
            "There is no \(name) beside this command\(own.map { " (\($0))" } ?? ""), in PATH or in "
                + "\(libexec ?? "libexec").",
            remedy: "Install it there, or add its folder to PATH."
        )
    }
}

// The remedies of the daemon and of the client are those of a service with a socket and a configuration; here is neither.

extension Problem {
    /// The problem with the remedy that helps where no service is asked.
    var withoutService: Problem {
        var problem = self
        switch code {
        case .cameraBusy: problem.remedy = "If it is tintyped (“tintype status”), leave out --once. \(remedy)"
        case .cameraNotFound: problem.remedy = "Plug one in, or give its node by --device, such as /dev/video0."
        case .cameraAmbiguous: problem.remedy = "Give the node of one of them by --device, such as /dev/video0."
        case .cameraDenied:
            problem.remedy =
                "Run the command as a user who may read and write the node, usually a member of the group video."
        case .cameraRestricted:
            problem.remedy =
                "Allow the node in the container or the unit that runs this command "
                + "(DeviceAllow=char-video4linux rw)."
        case .deviceLost:
            problem.remedy = "Check the camera's cable and port, and see the kernel's log (sudo journalctl -k)."
        case .deadlineExceeded: problem.remedy = "Allow more time (--deadline), and check the camera's cable and port."
        default: break
        }
        return problem
    }
}

extension ClientError {
    /// The error with the remedy that helps where no service is asked, and with the end of the daemon at the path `program`,
    /// whose exit status is `status`; nil where that cannot be told.
    func withoutService(_ program: String, status: CInt?) -> ClientError {
        guard kind == .closed, let status, status != 0 else {
            let remedy =
                kind == .deadline
                ? "Allow more time (--deadline); if that does not help, see the kernel's log (sudo journalctl -k)."
                : "Ask again; if that does not help, install tintype and tintyped of one version."
            return ClientError(kind, detail, remedy: remedy)
        }
        let ending = status > 128 ? "was ended by signal \(status - 128)" : "ended with status \(status)"
        return ClientError(
            .closed,
            "\(program) \(ending) before it had answered.",
            remedy: status > 128 ? "Ask again." : "Its own message is above."
        )
    }
}
