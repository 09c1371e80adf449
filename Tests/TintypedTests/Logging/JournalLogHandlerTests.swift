// SPDX-License-Identifier: Apache-2.0
import Glibc
import Logging
import Synchronization
import Testing
import TintypeModel

@testable import tintyped

struct JournalLogHandlerTests {
    private final class Lines: Sendable {
        private let kept = Mutex<[String]>([])
        var all: [String] { kept.withLock { $0 } }
        func add(_ line: LogLine) { kept.withLock { $0.append(line.text) } }
    }

    private func logger(_ reader: LogLine.Reader, _ lines: Lines, level: Logger.Level = .trace) -> Logger {
        Logger(label: "test") { _ in JournalLogHandler(reader: reader, logLevel: level, write: lines.add) }
    }

    @Test(arguments: [
        (Logger.Level.trace, "<7>"), (.debug, "<7>"), (.info, "<6>"), (.notice, "<5>"), (.warning, "<4>"),
        (.error, "<3>"), (.critical, "<2>"),
    ])
    func `for the journal a line begins with its priority and has no time`(_ level: Logger.Level, _ prefix: String) {
        let lines = Lines()
        logger(.journal, lines).log(level: level, "camera opened")
        #expect(lines.all == ["\(prefix)camera opened"])
    }

    @Test func `for people a line begins with time and level`() throws {
        let lines = Lines()
        let before = Timestamp.now()
        let metadata: Logger.Metadata = ["camera": "front", MessageID.key: "\(MessageID.cameraLost)"]
        logger(.person, lines).warning("camera lost", metadata: metadata)
        let words = try #require(lines.all.first).split(separator: " ")
        let time = try #require(Timestamp(String(words[0])))
        #expect((before...Timestamp.now()).contains(time))
        #expect(words.dropFirst().joined(separator: " ") == "warning camera lost camera=front")
    }

    @Test func `metadata is sorted, quoted where it has to be, and the nearest wins`() {
        let lines = Lines()
        var logger = logger(.journal, lines)
        logger[metadataKey: "camera"] = "front"
        logger[metadataKey: "zone"] = "a b"
        logger.info("x", metadata: ["camera": "back", "empty": "", "quoted": "say \"hi\"", "sum": "a=b"])
        #expect(lines.all == [#"<6>x camera=back empty="" quoted="say \"hi\"" sum="a=b" zone="a b""#])
    }

    @Test func `no text can begin a line of its own`() {
        let lines = Lines()
        logger(.journal, lines).info("a\nb\u{1B}[31m\u{2028}c", metadata: ["path": "x\n<0>y\r\t\\"])
        #expect(lines.all == [#"<6>a\nb\u{1b}[31m\u{2028}c path="x\n<0>y\r\t\\""#])
    }

    @Test func `what is below the level is not written`() {
        let lines = Lines()
        let logger = logger(.journal, lines, level: .warning)
        logger.notice("no")
        logger.warning("yes")
        #expect(lines.all == ["<4>yes"])
    }

    @Test func `the journal is recognised by device and inode of the descriptor`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("", to: "stream")
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        defer { _ = close(descriptor) }
        var status = stat()
        _ = unsafe fstat(descriptor, &status)
        let stream = "\(status.st_dev):\(status.st_ino)"
        #expect(StandardError.isJournal(stream, descriptor: descriptor))
        #expect(!StandardError.isJournal("\(status.st_dev):\(status.st_ino + 1)", descriptor: descriptor))
        for wrong in [nil, "", "x", ":", "1:2:3", "a:b"] {
            #expect(!StandardError.isJournal(wrong, descriptor: descriptor))
        }
    }
}
