// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
package import TintypeModel
internal import TintypeThreads

/// What anybody may ask of a session, on any thread. Nothing here awaits the session itself: an answer that does not
/// come within the limit is a problem with code `driver-stuck`.
extension CaptureSession {
    /// How long a command may take: opening a slow camera takes seconds.
    private static let limit = Duration.seconds(10)

    /// Opens the device and keeps it open until ``stop()``.
    ///
    /// Returns the granted format once frames are on their way.
    package nonisolated func start() async throws(Problem) -> CaptureFormat {
        let reply = Reply<CaptureFormat>()
        post(.start(reply))
        return try await reply.value(until: .now() + Self.limit, otherwise: overdue("start"))
    }

    /// Ends the stream and closes the device, whatever its warmth, until somebody asks for a frame.
    package nonisolated func stop() async throws(Problem) {
        let reply = Reply<Bool>()
        post(.stop(reply))
        _ = try await reply.value(until: .now() + Self.limit, otherwise: overdue("stop"))
    }

    /// Changes the configuration, whole or not at all: where the device refuses the new one, the old one is back.
    ///
    /// Returns the format granted, or nil where the device is closed and the configuration waits for it.
    package nonisolated func apply(_ configuration: SessionConfiguration) async throws(Problem) -> CaptureFormat? {
        let reply = Reply<CaptureFormat?>()
        post(.apply(configuration, reply))
        return try await reply.value(until: .now() + Self.limit, otherwise: overdue("apply"))
    }

    /// What the device offers; opens it for this if it is closed, and closes it again.
    package nonisolated func formats() async throws(Problem) -> [FormatDescription] {
        if let stuck = stuckProblem { throw stuck }
        let reply = Reply<[FormatDescription]>()
        post(.formats(reply))
        return try await reply.value(until: .now() + Self.limit, otherwise: overdue("formats"))
    }

    /// Closes the device and ends the thread.
    ///
    /// Returns whether that was done within `limit`; a thread that hangs in a driver is left behind.
    package nonisolated func end(within limit: Duration) async -> Bool {
        let reply = Reply<Bool>()
        post(.end(reply))
        return (try? await reply.value(until: .now() + limit, otherwise: overdue("end"))) ?? false
    }

    /// The problem that everybody gets while a driver call does not return; nil while none hangs.
    package nonisolated var stuckProblem: Problem? {
        calls.stuck().map { call in
            Problem(
                .driverStuck,
                "\(call.name) on the camera \(name) has not returned for \(Int(call.runningMs.duration / .seconds(1))) s.",
                remedy: "Unplug the camera if this lasts; it goes on by itself when the call returns.",
                retryAfter: .seconds(1)
            )
        }
    }

    private nonisolated func post(_ command: SessionCommand) {
        commands.withLock { $0.append(command) }
        thread.ring()
    }

    private nonisolated func overdue(_ what: String) -> Problem {
        stuckProblem
            ?? Problem(
                .deadlineExceeded,
                "The camera \(name) has not answered “\(what)” for \(Self.limit).",
                remedy: "Try again.",
                retryAfter: .seconds(1)
            )
    }

    // MARK: - On the session's thread

    func runCommands() {
        let list = commands.withLock { list in
            defer { list.removeAll() }
            return list
        }
        for command in list { run(command) }
    }

    private func run(_ command: SessionCommand) {
        switch command {
        case .start(let reply):
            isStarted = true
            if device == nil { openDevice() }
            answer(reply)
        case .stop(let reply):
            isStarted = false
            isStopped = true
            closeDevice()
            hub.fail(
                Problem(.stopping, "The camera \(name) was stopped.", remedy: "Ask again.", retryAfter: .seconds(1))
            )
            enter(.off)
            reply.resolve(.success(true))
        case .apply(let configuration, let reply): apply(configuration, reply)
        case .formats(let reply): listFormats(reply)
        case .end(let reply):
            isEnding = true
            closeDevice()
            enter(.off)
            hub.close(
                Problem(
                    .stopping,
                    "The daemon is stopping.",
                    remedy: "Ask again once it runs.",
                    retryAfter: .seconds(2)
                )
            )
            thread.stop()
            reply.resolve(.success(true))
        }
    }

    private func answer(_ reply: Reply<CaptureFormat>) {
        if let granted {
            reply.resolve(.success(granted.format))
        } else {
            isStarted = false
            reply.resolve(.failure(lastReason ?? overdue("start")))
        }
    }

    private func apply(_ new: SessionConfiguration, _ reply: Reply<CaptureFormat?>) {
        let old = configuration
        guard let device, let current = granted?.format, old.format != new.format else {
            configuration = new
            reply.resolve(.success(granted?.format))
            return
        }
        // What the device does not offer at all is refused before anything is interrupted.
        do throws(DeviceError) {
            _ = try new.format.resolve(offered: device.formats(), current: current, of: device.identity)
        } catch {
            reply.resolve(.failure(error.problem))
            return
        }
        configuration = new
        closeDevice()
        openDevice(keepsDemands: true)
        if let granted {
            reply.resolve(.success(granted.format))
            return
        }
        let problem = lastReason ?? overdue("apply")
        configuration = old
        openDevice()
        reply.resolve(.failure(problem))
    }

    private func listFormats(_ reply: Reply<[FormatDescription]>) {
        do throws(DeviceError) {
            reply.resolve(.success(try offeredFormats()))
        } catch {
            reply.resolve(.failure(error.problem))
        }
    }

    /// Opens the device for this if it is closed; then it is closed again before anybody is answered.
    private func offeredFormats() throws(DeviceError) -> [FormatDescription] {
        if let device { return try device.formats() }
        return try open(calls).formats()
    }
}
