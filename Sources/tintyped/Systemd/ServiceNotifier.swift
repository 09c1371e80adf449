// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Logging
internal import Synchronization
internal import TintypeModel

/// Tells systemd how far the daemon is: the datagram protocol of sd_notify(3).
///
/// Without systemd it does nothing. A datagram that cannot be sent is logged once and never stops anything.
final class ServiceNotifier: Sendable {
    /// Within which time systemd awaits ``watchdog()`` again and again; nil for never.
    let watchdogTime: Duration?
    private let address: String?
    private let logger: Logger
    private let hasFailed = Mutex(false)
    private let lastStatus = Mutex<String?>(nil)

    /// A notifier for `address`, the value of `NOTIFY_SOCKET`: a path, or an abstract name after `@`; nil for none.
    ///
    /// `watchdog` is the number of microseconds in `WATCHDOG_USEC`, of this process (sd_watchdog_enabled(3)).
    init(address: String?, watchdog: String? = nil, logger: Logger) {
        watchdogTime = watchdog.flatMap(Int64.init).flatMap { $0 > 0 ? .microseconds($0) : nil }
        self.address = address.flatMap { $0.isEmpty ? nil : $0 }
        self.logger = logger
    }

    /// The daemon serves; `status` is shown by systemctl(1).
    func ready(_ status: String) {
        lastStatus.withLock { $0 = status }
        send(["READY=1", "STATUS=\(PrintableText.line(status))"])
    }

    /// The start takes so much longer, from now on, than `TimeoutStartSec=` allows.
    func extendStart(by duration: Duration) { send(["EXTEND_TIMEOUT_USEC=\(duration.nanosecondCount / 1000)"]) }

    /// All parts of the daemon move.
    func watchdog() { send(["WATCHDOG=1"]) }

    /// The daemon has begun to read its configuration again; ``ready(_:)`` follows.
    func reloading() { send(["RELOADING=1", "MONOTONIC_USEC=\(MonotonicTime.now().nanoseconds / 1000)"]) }

    /// The daemon has begun to stop.
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
        guard let address, let failure = Self.failure(ofSending: lines.joined(separator: "\n"), to: address) else {
            return
        }
        let isFirst = hasFailed.withLock { hasFailed in
            defer { hasFailed = true }
            return !hasFailed
        }
        logger.log(
            level: isFirst ? .warning : .debug,
            "\(failure) systemd may think that the daemon does not start; check NOTIFY_SOCKET and NotifyAccess=."
        )
    }

    /// How long a full receiver is waited for: 200 ms, as `struct timeval` has them (sys_time.h(0p)): seconds, microseconds.
    private static let timeLimit = [0, 200_000]

    /// Sends one datagram to a Unix socket, a path or `@` and an abstract name (unix(7)); says why it was not sent, nil
    /// where it was.
    ///
    /// The C functions are `socket` and `sendto`.
    private static func failure(ofSending text: String, to address: String) -> String? {
        guard address.hasPrefix("/") || address.hasPrefix("@") else {
            return "NOTIFY_SOCKET is \"\(address)\", which is neither a path nor an abstract name."
        }
        var name = Array(address.utf8)
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        guard name.count < MemoryLayout.size(ofValue: target.sun_path) else {
            return "NOTIFY_SOCKET has \(name.count) bytes, more than a socket's address can have."
        }
        unsafe withUnsafeMutableBytes(of: &target.sun_path) { unsafe $0.copyBytes(from: name) }
        // An abstract name has exactly the length that is given; a path may have its final zero or not.
        let offset = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: target.sun_path)
        let length = socklen_t(offset + name.count)

        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return "socket \(address): \(ErrnoText.of(errno))." }
        defer { _ = close(descriptor) }
        var timeLimit = timeLimit
        let size = socklen_t(timeLimit.count * MemoryLayout<Int>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeLimit, size)
        let bytes = Array(text.utf8)
        let sent = unsafe withUnsafePointer(to: &target) { target in
            unsafe target.withMemoryRebound(to: sockaddr.self, capacity: 1) { target in
                unsafe sendto(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL), target, length)
            }
        }
        return sent == bytes.count ? nil : "sendto \(address): \(ErrnoText.of(errno))."
    }
}
