// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing
import TintypeModel

@testable import tintyped

struct MaintenanceServiceTests {
    /// Work of the service, counted, with results from the test.
    final class Work: Sendable {
        private let count = Mutex(0)
        let clock = ManualClock()
        let lines = LineRecorder()

        var done: Int { count.withLock(\.self) }

        func service(_ answer: @escaping @Sendable (Int) throws(Problem) -> Void) -> MaintenanceService {
            MaintenanceService(clock: clock, logger: lines.logger) { () throws(Problem) in
                self.count.withLock { $0 += 1 }
                try answer(self.done)
            }
        }
    }

    private static let problem = Problem(.spoolUnavailable, "The disk is gone.", remedy: "Put it back.")

    @Test func `maintains a spool at once and every minute`() async throws {
        let work = Work()
        try await running([work.service { _ in }]) {
            var sleeps = work.clock.sleeps.makeAsyncIterator()
            for minute in 1...3 {
                #expect(await sleeps.next() == .seconds(60 * minute))
                #expect(work.done == minute)
                work.clock.move(to: .seconds(60 * minute))
            }
        }
        #expect(work.lines.lines.isEmpty)
    }

    @Test func `logs a lasting failure and its end once`() async throws {
        let work = Work()
        let other = Problem(.spoolFull, "The disk is full.", remedy: "Free some space.")
        let service = work.service { (number) throws(Problem) in
            if number <= 3 { throw Self.problem }
            if number == 4 { throw other }
        }
        try await running([service]) {
            var sleeps = work.clock.sleeps.makeAsyncIterator()
            for minute in 1...6 {
                _ = await sleeps.next()
                work.clock.move(to: .seconds(60 * minute))
            }
            _ = await sleeps.next()
        }
        let lines = work.lines.lines
        #expect(lines.count { $0.contains("The disk is gone.") } == 1)
        #expect(lines.count { $0.contains("The disk is full.") } == 1)
        #expect(lines.count { $0.contains("works again") } == 1)
        #expect(lines.count == 3, "\(lines)")
    }
}
