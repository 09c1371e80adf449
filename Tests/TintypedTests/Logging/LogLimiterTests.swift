// SPDX-License-Identifier: Apache-2.0
import Logging
import Synchronization
import Testing

@testable import tintyped

struct LogLimiterTests {
    /// Limiter on a manual clock, with the lines that passed it.
    private final class Site: Sendable {
        private let kept = Mutex<[String]>([])
        private let clock = ManualClock()
        var lines: [String] { kept.withLock(\.self) }

        func limiter() -> LogLimiter {
            LogLimiter(clock: clock) { line in self.kept.withLock { $0.append(line.text) } }
        }

        func logger(_ limiter: LogLimiter? = nil) -> Logger {
            let limiter = limiter ?? self.limiter()
            return Logger(label: "test") { _ in
                JournalLogHandler(reader: .journal, logLevel: .trace, write: limiter.write)
            }
        }

        func pass(_ duration: Duration) { clock.move(to: clock.offset + duration) }
    }

    private let site = Site()

    @Test func `writes ten lines of one cause, then a summary`() {
        let logger = site.logger()
        for number in 1...25 {
            logger.warning("attempt \(number)", metadata: ["camera": "back"])
            site.pass(.seconds(1))
        }
        #expect(site.lines == (1...10).map { "<4>attempt \($0) camera=back" })
        site.pass(.seconds(5))
        let line = "<4>15 more lines of this kind within 30 s; the last: attempt 25 camera=back"
        #expect(site.lines.dropFirst(10) == [line])
        // The count is reset.
        logger.warning("attempt 26")
        #expect(site.lines.last == "<4>attempt 26")
        site.pass(.seconds(60))
        #expect(site.lines.count == 12)
    }

    @Test func `does not limit a cause with one line every four seconds`() {
        let logger = site.logger()
        for number in 1...100 {
            logger.error("attempt \(number)")
            site.pass(.seconds(4))
        }
        #expect(site.lines.count == 100)
    }

    @Test(arguments: ["camera", "schedule", "hook", "client", "part"])
    func `limits each camera, schedule, hook, client and part separately`(_ key: String) {
        let logger = site.logger()
        for number in 0..<30 { logger.warning("refused", metadata: ["\(key)": "\(number % 3)"]) }
        #expect(site.lines.count == 30)
    }

    @Test func `limits each place in the code separately`() {
        let logger = site.logger()
        for _ in 0..<10 {
            logger.warning("x")
            logger.warning("x")
        }
        #expect(site.lines.count == 20)
    }

    @Test(arguments: [Logger.Level.trace, .debug, .info, .notice, .critical])
    func `limits only warnings and errors`(_ level: Logger.Level) {
        let logger = site.logger()
        for _ in 0..<50 { logger.log(level: level, "x") }
        #expect(site.lines.count == 50)
    }

    @Test func `a flush reports the suppressed lines`() {
        let limiter = site.limiter()
        let logger = site.logger(limiter)
        for number in 1...11 { logger.error("attempt \(number)") }
        logger.error("another")
        limiter.flush()
        #expect(site.lines.count == 12)
        #expect(site.lines.last == "<3>1 more line of this kind within 30 s; the last: attempt 11")
        site.pass(.seconds(60))
        #expect(site.lines.count == 12)
    }

    @Test func `forgets finished causes without losing lines`() {
        let logger = site.logger()
        for number in 1...12 { logger.warning("x", metadata: ["client": "0", "number": "\(number)"]) }
        for client in 1...200 { logger.warning("x", metadata: ["client": "\(client)"]) }
        site.pass(.seconds(30))
        #expect(site.lines.count == 10 + 200 + 1)
        #expect(site.lines.last == "<4>2 more lines of this kind within 30 s; the last: x client=0 number=12")
        for client in 201...400 { logger.warning("x", metadata: ["client": "\(client)"]) }
        #expect(site.lines.count == 10 + 200 + 1 + 200)
    }

    @Test func `counts the lines of excess clients together`() {
        let logger = site.logger()
        for client in 1...1000 { logger.warning("x", metadata: ["client": "\(client)"]) }
        #expect(site.lines.count == 257 + 10)
        site.pass(.seconds(30))
        #expect(site.lines.last == "<4>733 more lines of this kind within 30 s; the last: x client=1000")
    }
}
