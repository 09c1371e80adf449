// SPDX-License-Identifier: Apache-2.0
import Logging
import Synchronization
import Testing
import TintypeModel
import TintypeSystem

@testable import tintyped

/// Entries sent to a datagram socket in place of the journal's.
struct JournalSocketTests {
    /// Path of the socket, and the lines that fall back to standard error.
    private final class Site: Sendable {
        let folder = TemporaryFolder()
        private let kept = Mutex<[String]>([])
        var path: String { "\(folder.path)/socket" }
        var others: [String] { kept.withLock { $0 } }
        var journal: JournalSocket {
            JournalSocket(socket: UnixDatagram(address: path)) { [self] line in kept.withLock { $0.append(line) } }
        }
        /// Logger that writes to the socket synchronously.
        var logger: Logger {
            Logger(label: "test") { _ in
                JournalLogHandler(reader: .journal, logLevel: .trace, write: self.journal.write)
            }
        }
    }

    private let site = Site()

    @Test func `an entry has the line as MESSAGE and metadata as fields`() throws {
        let listener = try NotifyListener(address: site.path)
        var logger = site.logger
        logger[metadataKey: "camera"] = "back"
        logger.warning(
            "The camera is gone.",
            metadata: [
                "code": "device-lost", "state": "failed", "bytes-short": "7", "path": "a b",
                MessageID.key: "\(MessageID.cameraLost)",
            ]
        )
        let entry = """
            MESSAGE=The camera is gone. bytes-short=7 camera=back code=device-lost path="a b" state=failed
            PRIORITY=4
            SYSLOG_IDENTIFIER=tintyped
            TINTYPE_BYTES_SHORT=7
            CAMERA=back
            ERROR_CODE=device-lost
            MESSAGE_ID=\(MessageID.cameraLost.rawValue)
            TINTYPE_PATH=a b
            STATE=failed

            """
        #expect(listener.received() == [entry])
        #expect(site.others.isEmpty)
    }

    @Test func `line breaks in a value add no field`() throws {
        let listener = try NotifyListener(address: site.path)
        let value = "x\nPRIORITY=0\n"
        site.logger.info("a\nPRIORITY=0", metadata: ["path": "\(value)", "rest": "y"])
        // Field name, 64-bit little-endian length, value.
        let length = "\u{D}\0\0\0\0\0\0\0"
        let line = #"MESSAGE=a\nPRIORITY=0 path="x\nPRIORITY=0\n" rest=y"#
        let fields = "PRIORITY=6\nSYSLOG_IDENTIFIER=tintyped\nTINTYPE_PATH\n\(length)\(value)\nTINTYPE_REST=y\n"
        #expect(listener.received() == ["\(line)\n\(fields)"])
    }

    @Test func `invalid UTF-8 in a value adds no field`() throws {
        let listener = try NotifyListener(address: site.path)
        let value = String(decoding: [0x61, 0xFF, 0x00, 0x1B, 0x0D, 0xC3], as: UTF8.self)
        site.logger.info("x", metadata: ["path": "\(value)"])
        let entry = try #require(listener.received().first)
        #expect(entry.hasSuffix("\nTINTYPE_PATH=a\u{FFFD}\0\u{1B}\r\u{FFFD}\n"))
        #expect(entry.hasPrefix("MESSAGE=x path=\"a\u{FFFD}\\u{0}\\u{1b}\\r\u{FFFD}\"\n"), "\(entry)")
    }

    @Test func `writes to standard error until the journal listens`() throws {
        site.logger.error("one", metadata: ["camera": "back"])
        let listener = try NotifyListener(address: site.path)
        site.logger.error("two")
        #expect(site.others == ["<3>one camera=back"])
        #expect(listener.received() == ["MESSAGE=two\nPRIORITY=3\nSYSLOG_IDENTIFIER=tintyped\n"])
    }

    @Test func `writes an entry larger than a datagram to standard error`() throws {
        let listener = try NotifyListener(address: site.path)
        let text = String(repeating: "x", count: 8 << 20)
        site.logger.info("\(text)")
        #expect(site.others == ["<6>\(text)"])
        #expect(listener.received().isEmpty)
    }

    @Test func `loses no line to a journal that does not read`() throws {
        let listener = try NotifyListener(address: site.path)
        // More than any receive queue holds (net.unix.max_dgram_qlen).
        var sent = 0
        while site.others.isEmpty, sent < 100_000, !Task.isCancelled {
            site.logger.info("\(sent)")
            sent += 1
        }
        #expect(site.others == ["<6>\(sent - 1)"])
        #expect(listener.received().count == sent - 1)
    }

    /// journald may fail to attribute an entry to a service after the process has exited.
    @Test func `writes the last line of a process to standard error`() throws {
        let listener = try NotifyListener(address: site.path)
        site.logger.critical("It could not start.")
        #expect(site.others == ["<2>It could not start."])
        #expect(listener.received().isEmpty)
    }
}
