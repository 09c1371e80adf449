// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TintypeModel

/// Tells systemd how far the daemon is: the datagram protocol of sd_notify(3).
///
/// Without systemd it does nothing. A datagram that cannot be sent is logged once and never stops anything.
final class ServiceNotifier: Sendable {
    private let address: String?
    private let logger: Logger
    private let hasFailed = Mutex(false)

    /// A notifier for `address`, the value of `NOTIFY_SOCKET`: a path, or an abstract name after `@`; nil for none.
    init(address: String?, logger: Logger) {
        self.address = address.flatMap { $0.isEmpty ? nil : $0 }
        self.logger = logger
    }

    /// The daemon serves; `status` is shown by systemctl(1).
    func ready(_ status: String) { send(["READY=1", "STATUS=\(PrintableText.line(status))"]) }

    /// The daemon has begun to stop.
    func stopping(_ status: String) { send(["STOPPING=1", "STATUS=\(PrintableText.line(status))"]) }

    /// The daemon's current activity, in one line.
    func status(_ status: String) { send(["STATUS=\(PrintableText.line(status))"]) }

    /// Waits for room at the receiver for at most ``NotificationSocket/timeLimit``.
    private func send(_ lines: [String]) {
        guard let address else { return }
        do throws(NotificationSocket.Failure) {
            try NotificationSocket.send(lines.joined(separator: "\n"), to: address)
        } catch {
            let isFirst = hasFailed.withLock { hasFailed in
                defer { hasFailed = true }
                return !hasFailed
            }
            logger.log(
                level: isFirst ? .warning : .debug,
                "\(error) systemd may think that the daemon does not start; check NOTIFY_SOCKET and NotifyAccess=."
            )
        }
    }
}
