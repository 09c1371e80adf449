// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Tells systemd how far the daemon is: the datagram protocol of sd_notify(3).
///
/// Without systemd it does nothing. A datagram that cannot be sent is logged once and never stops anything.
final class ServiceNotifier: Sendable {
    /// Within which time systemd awaits ``watchdog()`` again and again; nil for never.
    let watchdogTime: Duration?
    private let datagram: UnixDatagram?
    private let clock: any MonotonicClock
    private let logger: Logger
    private let hasFailed = OnceFlag()
    private let lastStatus = Mutex<String?>(nil)
    private let isReady = OnceFlag()

    /// A notifier for `address`, the value of `NOTIFY_SOCKET`: a path, or an abstract name after `@`; nil for none.
    ///
    /// `watchdog` is the number of microseconds in `WATCHDOG_USEC`, of this process (sd_watchdog_enabled(3)).
    /// A reload is dated by `clock`, which systemd expects to be `CLOCK_MONOTONIC`.
    init(address: String?, watchdog: String? = nil, clock: any MonotonicClock, logger: Logger) {
        watchdogTime = watchdog.flatMap(Int64.init).flatMap { $0 > 0 ? .microseconds($0) : nil }
        datagram = address.flatMap { $0.isEmpty ? nil : UnixDatagram(address: $0) }
        self.clock = clock
        self.logger = logger
    }

    /// The daemon serves; `status` is shown by systemctl(1).
    func ready(_ status: String) {
        isReady.raise()
        lastStatus.withLock { $0 = status }
        send(["READY=1", "STATUS=\(PrintableText.line(status))"])
    }

    /// The start takes so much longer, from now on, than `TimeoutStartSec=` allows.
    func extendStart(by duration: Duration) { send(["EXTEND_TIMEOUT_USEC=\(duration.nanosecondCount / 1000)"]) }

    func watchdog() { send(["WATCHDOG=1"]) }

    /// The daemon has begun to read its configuration again; ``reloaded(_:)`` follows.
    ///
    /// systemd is told of neither before ``ready(_:)``, since a READY behind a reload would end the start.
    func reloading() {
        guard isReady.isRaised else { return }
        send(["RELOADING=1", "MONOTONIC_USEC=\(clock.now.nanoseconds / 1000)"])
    }

    /// The daemon has read its configuration again, and serves as before.
    func reloaded(_ status: String) { if isReady.isRaised { ready(status) } else { self.status(status) } }

    func stopping(_ status: String) { send(["STOPPING=1", "STATUS=\(PrintableText.line(status))"]) }

    /// The daemon's current activity, in one line; sent where it is another than before.
    func status(_ status: String) {
        let isNew = lastStatus.withLock { last in
            defer { last = status }
            return last != status
        }
        if isNew { send(["STATUS=\(PrintableText.line(status))"]) }
    }

    private func send(_ lines: [String]) {
        guard let failure = datagram?.failure(ofSending: Array(lines.joined(separator: "\n").utf8)) else { return }
        logger.log(
            level: hasFailed.raise() ? .warning : .debug,
            "\(failure) systemd may think that the daemon does not start; check NOTIFY_SOCKET and NotifyAccess=."
        )
    }
}
