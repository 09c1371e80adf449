// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import TintypeModel
internal import TintypeSystem

struct Daemon: Sendable {
    struct Parts: Sendable {
        /// Run until one ends or a stop is requested.
        var services: [any Service]
        /// Syncs and closes the spools after the services; false if not done by the deadline.
        var close: @Sendable (_ deadline: MonotonicTime) async -> Bool
    }

    /// Opens the spools, binds the listener, creates the services; calls `listening` once clients are served.
    typealias Assemble = @Sendable (_ listening: @escaping @Sendable () async -> Void) async throws -> Parts

    let settings: DaemonSettings
    let clock: any MonotonicClock
    let logger: Logger
    let exitGuard: ExitGuard
    let notifier: ServiceNotifier

    /// Runs until a stop is requested; 0 after a clean stop, 1 after a failure, which is logged.
    func run(_ assemble: Assemble) async -> Int32 {
        DescriptorLimit.raise(logger: logger)
        let spool = settings.isPrivate ? "none" : settings.configuration.spool.folder
        let facts: Logger.Metadata = [
            "version": "\(TintypeVersion.current)", "socket": "\(settings.socketSummary)", "spool": "\(spool)",
            "cameras": "\(settings.cameraSummary)",
        ]
        logger.notice("starting", metadata: facts)
        let parts: Parts
        exitGuard.beginPart("opening the spool and the socket")
        do {
            parts = try await assemble { await serving() }
        } catch {
            return failed(error)
        }
        let status = await serve(parts.services)
        exitGuard.beginPart("closing the spool")
        let isClosed = await parts.close(clock.now + settings.closeLimit)
        if isClosed {
            logger.notice("stopped")
        } else {
            logger.warning("stopped before a spool was closed: the next start compares its folder and catalog")
        }
        return status
    }

    private func serving() async {
        guard !exitGuard.isStopping else { return }
        notifier.ready(settings.summary)
        logger.notice("serving", metadata: ["socket": "\(settings.socketSummary)"])
    }

    private func serve(_ services: [any Service]) async -> Int32 {
        exitGuard.beginPart("the services")
        // The stop comes first: the group shuts down its services from last to first.
        let stop = ServiceFunction {
            await exitGuard.waitForStop()
            notifier.stopping("Stopping")
        }
        let all: [any Service] = [stop] + services
        let configurations = all.map { service in
            ServiceGroupConfiguration.ServiceConfiguration(
                service: service,
                successTerminationBehavior: .gracefullyShutdownGroup,
                failureTerminationBehavior: .gracefullyShutdownGroup
            )
        }
        var configuration = ServiceGroupConfiguration(services: configurations, logger: logger)
        configuration.maximumGracefulShutdownDuration = settings.serviceLimit
        do {
            try await ServiceGroup(configuration: configuration).run()
            return 0
        } catch {
            return failed(error)
        }
    }

    private func failed(_ error: any Error) -> Int32 {
        // Errors caused by a stop are not failures.
        guard !exitGuard.isStopping else { return 0 }
        logger.critical("\(error)")
        notifier.status("Failed: \(error)")
        return 1
    }
}

extension DaemonSettings {
    var cameras: [CameraConfiguration] { configuration.cameras + patterns }

    /// Or their number if the list is too long for a status.
    var cameraSummary: String {
        let names = cameras.map(\.name).joined(separator: ", ")
        guard names.utf8.count <= ServiceNotifier.longestStatus else { return "\(cameras.count) cameras" }
        return names.isEmpty && discovers ? "every camera that is found" : names
    }

    var summary: String { "Serving \(cameraSummary) on \(socketSummary)" }
    var socketSummary: String { isPrivate ? "standard input" : configuration.socket.path }
}

enum DescriptorLimit {
    /// Raises the soft limit of open files to the hard limit (setrlimit(2), RLIMIT_NOFILE).
    ///
    /// The low soft limit exists for programs that call select(2), which the daemon does not (systemd, NEWS of 240).
    static func raise(logger: Logger) {
        var limit = current
        guard limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        if unsafe setrlimit(resource, &limit) != 0 {
            let text = ErrnoText.of(errno)
            let call = "setrlimit RLIMIT_NOFILE \(limit.rlim_max)"
            logger.warning("\(call): \(text). Raise LimitNOFILE= if connections fail.")
        }
    }

    static var openFiles: Int { Int(clamping: current.rlim_cur) }

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    private static var current: rlimit {
        var limit = rlimit(rlim_cur: .max, rlim_max: .max)
        _ = unsafe getrlimit(resource, &limit)
        return limit
    }
}
