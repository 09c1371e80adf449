// SPDX-License-Identifier: Apache-2.0
import Glibc
import Logging
import Testing
import TintypeModel

@testable import tintyped

struct JournalLogHandlerTests {
    private let lines = LineRecorder()

    @Test(arguments: [
        (Logger.Level.trace, "<7>"), (.debug, "<7>"), (.info, "<6>"), (.notice, "<5>"), (.warning, "<4>"),
        (.error, "<3>"), (.critical, "<2>"),
    ])
    func `a journal line begins with its priority and has no time`(_ level: Logger.Level, _ prefix: String) {
        lines.logger.log(level: level, "camera opened")
        #expect(lines.lines == ["\(prefix)camera opened"])
    }

    @Test func `a line for people begins with time and level`() {
        let lines = LineRecorder(.person(ManualClock(at: Timestamp(microseconds: 1_700_000_000_250_000))))
        let metadata: Logger.Metadata = ["camera": "front", MessageID.key: "\(MessageID.cameraLost)"]
        lines.logger.warning("camera lost", metadata: metadata)
        #expect(lines.lines == ["2023-11-14T22:13:20.250000Z warning camera lost camera=front"])
    }

    @Test func `appends sorted and quoted metadata`() {
        var logger = lines.logger
        logger[metadataKey: "camera"] = "front"
        logger[metadataKey: "zone"] = "a b"
        logger.info("x", metadata: ["camera": "back", "empty": "", "quoted": "say \"hi\"", "sum": "a=b"])
        #expect(lines.lines == [#"<6>x camera=back empty="" quoted="say \"hi\"" sum="a=b" zone="a b""#])
    }

    @Test func `escapes control characters in text and metadata`() {
        lines.logger.info("a\nb\u{1B}[31m\u{2028}c", metadata: ["path": "x\n<0>y\r\t\\"])
        #expect(lines.lines == [#"<6>a\nb\u{1b}[31m\u{2028}c path="x\n<0>y\r\t\\""#])
    }

    @Test func `drops lines below the level`() {
        let lines = LineRecorder(level: .warning)
        let logger = lines.logger
        logger.notice("no")
        logger.warning("yes")
        #expect(lines.lines == ["<4>yes"])
    }

    @Test func `recognises the journal by device and inode of the descriptor`() throws {
        let folder = TemporaryFolder()
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
