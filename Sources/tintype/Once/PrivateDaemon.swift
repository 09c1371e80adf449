// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import TintypeClient
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
        return (
            PrivateDaemon(process: process),
            try await ControlConnection.adopt(ours, as: program)
        )
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
