// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import tintyped

struct ServiceNotifierTests {
    private let lines = LineRecorder()
    private let folder = TemporaryFolder()

    private func notifier(_ address: String?) -> ServiceNotifier {
        ServiceNotifier(address: address, clock: ManualClock(), logger: lines.logger)
    }

    @Test func `sends each notification as one datagram`() throws {
        let listener = try NotifyListener(address: "\(folder.path)/notify")
        let notifier = notifier(listener.address)
        notifier.ready("Serving")
        notifier.status("Two\nlines")
        // An unchanged status is not sent again.
        notifier.status("Two\nlines")
        notifier.watchdog()
        notifier.extendStart(by: .seconds(90))
        notifier.stopping("Stopping")
        let told = [
            "READY=1\nSTATUS=Serving", "STATUS=Two\\nlines", "WATCHDOG=1", "EXTEND_TIMEOUT_USEC=90000000",
            "STOPPING=1\nSTATUS=Stopping",
        ]
        #expect(listener.received() == told)
        #expect(lines.lines.isEmpty)
    }

    /// Lengths that systemd would ignore, before and after escaping.
    @Test(arguments: ["x", "ü", "\u{1}"]) func `cuts a status that is too long for a datagram`(letter: String) throws {
        let listener = try NotifyListener(address: "\(folder.path)/notify")
        let notifier = notifier(listener.address)
        let status = String(repeating: letter, count: 10_000)
        notifier.ready(status)
        notifier.reloaded(status)
        notifier.status(status + "!")
        notifier.stopping(status)
        let told = listener.received()
        #expect(told.count == 4)
        let begins = ["READY=1\nSTATUS=", "READY=1\nSTATUS=", "STATUS=", "STOPPING=1\nSTATUS="]
        for (message, begin) in zip(told, begins) {
            #expect(message.hasPrefix(begin) && message.hasSuffix("…") && message.utf8.count < 3100)
        }
    }

    @Test(arguments: [nil, ""]) func `logs nothing without NOTIFY_SOCKET`(_ address: String?) {
        notifier(address).ready("Serving")
        #expect(lines.lines.isEmpty)
    }

    @Test(arguments: [
        ("/nonexistent/notify", "sendto /nonexistent/notify: no such file or directory."),
        ("vsock:2:1234", "neither a path nor an abstract name"),
        ("/" + String(repeating: "x", count: 200), "The address has 201 bytes"),
    ])
    func `warns once about an unreachable socket`(_ address: String, _ says: String) throws {
        let notifier = notifier(address)
        notifier.ready("Serving")
        notifier.stopping("Stopping")
        #expect(lines.lines.count { $0.hasPrefix("<4>") } == 1)
        #expect(lines.lines.count == 2)
        #expect(try #require(lines.lines.first).contains(says))
    }

    @Test func `does not block on a full receive queue`() throws {
        let listener = try NotifyListener(address: "\(folder.path)/notify")
        let notifier = notifier(listener.address)
        // More than any receive queue holds (net.unix.max_dgram_qlen).
        var sent = 0
        while lines.lines.isEmpty, sent < 100_000 {
            notifier.watchdog()
            sent += 1
        }
        #expect(try #require(lines.lines.first).contains("resource temporarily unavailable"))
        #expect(listener.received().count == sent - 1)
    }
}
