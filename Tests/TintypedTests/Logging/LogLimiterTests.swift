// SPDX-License-Identifier: Apache-2.0
import Logging
import Synchronization
import Testing

@testable import tintyped

struct LogLimiterTests {
    /// A limiter at a clock that a test moves, and the lines that it has let through.
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

    @Test func `of one cause ten lines are written, and then how many more there were`() {
        let logger = site.logger()
        for number in 1...25 {
            logger.warning("attempt \(number)", metadata: ["camera": "back"])
            site.pass(.seconds(1))
        }
        #expect(site.lines == (1...10).map { "<4>attempt \($0) camera=back" })
        site.pass(.seconds(5))
        let line = "<4>15 more lines of this kind within 30 s; the last: attempt 25 camera=back"
        #expect(site.lines.dropFirst(10) == [line])
        // The limit begins again.
        logger.warning("attempt 26")
        #expect(site.lines.last == "<4>attempt 26")
        site.pass(.seconds(60))
        #expect(site.lines.count == 12)
    }

    @Test func `a cause that lets lines pass slowly is never held back`() {
        let logger = site.logger()
        for number in 1...100 {
            logger.error("attempt \(number)")
            site.pass(.seconds(4))
        }
        #expect(site.lines.count == 100)
    }

    @Test(arguments: ["camera", "schedule", "hook", "client", "part"])
    func `causes are apart by camera, schedule, hook, client and part`(_ key: String) {
        let logger = site.logger()
        for number in 0..<30 { logger.warning("refused", metadata: ["\(key)": "\(number % 3)"]) }
        #expect(site.lines.count == 30)
    }

    @Test func `causes are apart by their place in the code`() {
        let logger = site.logger()
        for _ in 0..<10 {
            logger.warning("x")
            logger.warning("x")
        }
        #expect(site.lines.count == 20)
    }

    @Test(arguments: [Logger.Level.trace, .debug, .info, .notice, .critical])
    func `only warnings and errors are held back`(_ level: Logger.Level) {
        let logger = site.logger()
        for _ in 0..<50 { logger.log(level: level, "x") }
        #expect(site.lines.count == 50)
    }

    @Test func `a process that ends says how many lines it has held back`() {
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

    @Test func `causes that are over are forgotten, and no line of them is lost`() {
        let logger = site.logger()
        for number in 1...12 { logger.warning("x", metadata: ["client": "0", "number": "\(number)"]) }
        for client in 1...200 { logger.warning("x", metadata: ["client": "\(client)"]) }
        site.pass(.seconds(30))
        #expect(site.lines.count == 10 + 200 + 1)
        #expect(site.lines.last == "<4>2 more lines of this kind within 30 s; the last: x client=0 number=12")
        for client in 201...400 { logger.warning("x", metadata: ["client": "\(client)"]) }
        #expect(site.lines.count == 10 + 200 + 1 + 200)
    }

    @Test func `of very many clients those that come last are counted together`() {
        let logger = site.logger()
        for client in 1...1000 { logger.warning("x", metadata: ["client": "\(client)"]) }
        #expect(site.lines.count == 257 + 10)
        site.pass(.seconds(30))
        #expect(site.lines.last == "<4>733 more lines of this kind within 30 s; the last: x client=1000")
    }
}
