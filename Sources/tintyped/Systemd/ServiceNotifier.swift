// SPDX-License-Identifier: Apache-2.0
internal import FoundationEssentials
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import TintypeAPI
internal import TintypeModel
internal import TintypeSystem

/// Reports the state of the daemon to systemd with datagrams of sd_notify(3).
///
/// Does nothing without systemd. A failure to send is logged once and otherwise ignored.
final class ServiceNotifier: Sendable {
    /// Bytes of a status; systemd ignores datagrams of more than 4096 bytes, with everything in them.
    static let longestStatus = 3000

    /// Greatest time between calls of ``watchdog()``; nil if systemd expects none.
    let watchdogTime: Duration?
    private let datagram: UnixDatagram?
    private let clock: any MonotonicClock
    private let logger: Logger
    private let hasFailed = OnceFlag()
    private let lastStatus = Mutex<String?>(nil)
    private let isReady = OnceFlag()

    /// `address` is the value of `NOTIFY_SOCKET`: a path, or an abstract name after `@`; nil if unset.
    ///
    /// `watchdog` is the value of `WATCHDOG_USEC` for this process (sd_watchdog_enabled(3)). `clock` must be
    /// `CLOCK_MONOTONIC`, which systemd expects for the time of a reload.
    init(address: String?, watchdog: String? = nil, clock: any MonotonicClock, logger: Logger) {
        watchdogTime = watchdog.flatMap(Int64.init).flatMap { $0 > 0 ? .microseconds($0) : nil }
        datagram = address.flatMap { $0.isEmpty ? nil : UnixDatagram(address: $0) }
        (self.clock, self.logger) = (clock, logger)
    }

    /// systemctl(1) shows `status`.
    func ready(_ status: String) {
        isReady.raise()
        lastStatus.withLock { $0 = status }
        send(["READY=1", Self.line(status)])
    }

    /// Extends `TimeoutStartSec=` by `duration` from now.
    func extendStart(by duration: Duration) { send(["EXTEND_TIMEOUT_USEC=\(duration.nanosecondCount / 1000)"]) }
    func watchdog() { send(["WATCHDOG=1"]) }

    /// Neither this nor ``reloaded(_:)`` sends READY before ``ready(_:)``, which would end the start.
    func reloading() {
        guard isReady.isRaised else { return }
        send(["RELOADING=1", "MONOTONIC_USEC=\(clock.now.nanoseconds / 1000)"])
    }

    func reloaded(_ status: String) { if isReady.isRaised { ready(status) } else { self.status(status) } }
    func stopping(_ status: String) { send(["STOPPING=1", Self.line(status)]) }

    func status(_ status: String) {
        let isNew = lastStatus.withLock { last in
            defer { last = status }
            return last != status
        }
        if isNew { send([Self.line(status)]) }
    }

    /// The status in one line, cut after escaping, which makes it longer.
    private static func line(_ status: String) -> String {
        var text = PrintableText.line(status)
        guard text.utf8.count > longestStatus else { return "STATUS=\(text)" }
        while text.utf8.count > longestStatus { text.removeLast() }
        return "STATUS=\(text)…"
    }

    private func send(_ lines: [String]) {
        guard let failure = datagram?.failure(ofSending: Array(lines.joined(separator: "\n").utf8)) else { return }
        let advice = "systemd may think that the daemon does not start; check NOTIFY_SOCKET and NotifyAccess=."
        logger.log(level: hasFailed.raise() ? .warning : .debug, "\(failure) \(advice)")
    }
}

/// Status line for systemctl(1): the socket and the state of each camera.
enum StatusText {
    /// One line, with faulty cameras first, for what ``ServiceNotifier`` cuts off.
    static func line(serving socket: String, _ cameras: [CameraStatus]) -> String {
        let sorted = cameras.filter { !isWell($0) } + cameras.filter(isWell)
        return "Serving on \(socket)" + (cameras.isEmpty ? "" : ". ") + sorted.map(words).joined(separator: "; ")
    }

    private static func isWell(_ camera: CameraStatus) -> Bool {
        camera.state.reason == nil && camera.authorization == .authorized
    }

    private static func words(of camera: CameraStatus) -> String {
        let reason = camera.state.reason.map { " (\($0.detail))" } ?? ""
        let access = camera.authorization.status
        let word = access == .authorized ? camera.state.name.rawValue : access.rawValue
        return "\(camera.name): \(word)\(reason)"
    }
}

/// Sends `WATCHDOG=1` (sd_notify(3)) as long as all parts of the daemon respond.
///
/// A part that does not respond is logged. If it stays silent for `WatchdogSec=`, systemd restarts the daemon
/// (systemd.service(5)). A camera thread that hangs in a driver call is excused, and so is storage that waits for its
/// disk or works through a long queue: a restart would not solve the problem of one camera or spool.
final class Watchdog: Service {
    private static let beats = 4

    private struct Question {
        let part: Heartbeat
        let answer = OnceFlag()
        var isLogged = false
    }

    private let notifier: ServiceNotifier
    private let clock: any MonotonicClock
    private let logger: Logger
    private let heartbeats: @Sendable () -> [Heartbeat]
    private let questions = Mutex<[ObjectIdentifier: Question]>([:])

    /// `heartbeats` may return different parts at each check.
    init(
        _ notifier: ServiceNotifier,
        clock: any MonotonicClock,
        logger: Logger,
        heartbeats: @escaping @Sendable () -> [Heartbeat]
    ) {
        (self.notifier, self.clock, self.logger, self.heartbeats) = (notifier, clock, logger, heartbeats)
    }

    /// Checks which parts have answered, notifies systemd if all have, and asks again; blocks for up to 200 ms.
    func check() {
        let parts = heartbeats()
        var isWell = true
        let unasked = questions.withLock { questions in
            questions = questions.filter { id, _ in parts.contains { $0.id == id } }
            return parts.compactMap { part -> Question? in
                let last = questions[part.id]
                guard let last, !last.answer.isRaised else {
                    if last?.isLogged == true {
                        logger.notice("a part of the daemon answers again", metadata: ["part": "\(part.name)"])
                    }
                    let question = Question(part: part)
                    questions[part.id] = question
                    return question
                }
                guard !part.isExcused() else { return nil }
                isWell = false
                questions[part.id]?.isLogged = true
                let facts: Logger.Metadata = ["part": "\(part.name)", MessageID.key: "\(MessageID.unresponsive)"]
                if !last.isLogged { logger.error("a part of the daemon does not answer", metadata: facts) }
                return nil
            }
        }
        for question in unasked { question.part.ask { question.answer.raise() } }
        if isWell { notifier.watchdog() }
    }

    /// On a thread of its own, since the cooperative pool is one of the parts.
    func run() async throws {
        guard let interval = notifier.watchdogTime.map({ $0 / Self.beats }) else { return try await gracefulShutdown() }
        let hasStopped = OnceFlag()
        let timer = try clock.timer()
        try NamedThread.start(name: "tt-watchdog") { [self] in
            timer.set(clock.now + interval, every: interval)
            while !hasStopped.isRaised {
                check()
                timer.wait()
                _ = timer.expirations()
            }
        }
        try? await gracefulShutdown()
        hasStopped.raise()
    }
}

/// Network of the unit, without which only sockets passed by systemd can be reached over TCP.
enum ServiceNetwork {
    /// Warning about the own TCP socket of a service without a network; nil if there is none.
    ///
    /// `invocation` is INVOCATION_ID of systemd.exec(5), and `devices` the text of /proc/net/dev. A unit starts after the
    /// devices of the machine, so only a private network namespace has none but `lo`.
    static func warning(_ address: TCPAddress?, invocation: String?, devices: String) -> String? {
        let names = devices.matches(of: /(?m)^ *([^ :\n]+):/).map { String($0.1) }
        guard let address, invocation != nil, names == ["lo"] else { return nil }
        return """
            tcp: nothing but this service reaches \(address): its unit has no network (PrivateNetwork=). Leave only hosts \
            and origins in tcp, if anything, and let systemd listen (tintyped-tcp.socket): sudo systemctl stop \
            tintyped.service; sudo systemctl enable --now tintyped-tcp.socket; sudo systemctl start tintyped.service
            """
    }

    /// Interfaces of this process, as proc_net_dev of proc(5) has them; empty if the file cannot be read.
    static var devices: String { (try? String(contentsOfFile: "/proc/self/net/dev", encoding: .utf8)) ?? "" }
}
