// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Testing

@testable import tintyped

struct IdleExitTests {
    /// Number of the check, one per second, at which the daemon stopped; nil if none of 50 did.
    private func stop(
        suspended: Duration = .zero,
        take: @escaping @Sendable (Bool) -> Void = { _ in },
        _ need: @escaping @Sendable (_ look: Int) -> (open: Int, total: UInt64, isNeeded: Bool)
    ) async throws -> Int? {
        let (clock, lines) = (ManualClock(), LineRecorder())
        let look = Mutex(0)
        let idle = IdleExit(
            clock: clock,
            limit: .seconds(10),
            logger: lines.logger,
            connections: {
                let need = need(look.withLock(\.self))
                return (need.open, need.total)
            },
            isNeeded: { need(look.withLock(\.self)).isNeeded },
            takeClients: { take($0) },
            stop: { clock.endSleeps() }
        )
        try await running([idle]) {
            for await end in clock.sleeps where look.withLock(\.self) < 50 {
                if look.withLock(\.self) == 0 { clock.suspend(for: suspended) }
                look.withLock { $0 += 1 }
                clock.move(to: end)
            }
        }
        let isTold = lines.lines.contains { $0.contains("nothing has needed the daemon for 10 s") }
        return isTold ? look.withLock(\.self) : nil
    }

    @Test func `stops an unused daemon after the limit`() async throws {
        #expect(try await stop { _ in (0, 0, false) } == 10)
    }

    @Test func `a suspend counts toward the limit`() async throws {
        #expect(try await stop(suspended: .seconds(7)) { _ in (0, 0, false) } == 3)
    }

    @Test func `a client that connects during the stop keeps the daemon running`() async throws {
        let open = Mutex(0)
        let taken = Mutex<[Bool]>([])
        let last = try await stop { wanted in
            taken.withLock { $0.append(wanted) }
            let isFirst = taken.withLock { $0.count == 1 }
            open.withLock { $0 = isFirst ? 1 : 0 }
        } _: { _ in
            (open.withLock(\.self), 0, false)
        }
        // Ten checks, and ten more.
        #expect(last == 20 && taken.withLock(\.self) == [false, true, false])
    }

    @Test func `a camera started during the stop keeps the daemon running`() async throws {
        let isStarted = Mutex(false)
        let taken = Mutex<[Bool]>([])
        let last = try await stop { wanted in
            taken.withLock { $0.append(wanted) }
            isStarted.withLock { $0 = !wanted && !$0 }
        } _: { look in
            if look > 12 { isStarted.withLock { $0 = false } }
            return (0, 0, isStarted.withLock(\.self))
        }
        #expect(taken.withLock(\.self).prefix(2) == [false, true], "\(taken.withLock(\.self))")
        #expect(last != 10)
    }

    @Test func `connections and cameras in use postpone the stop`() async throws {
        #expect(try await stop { ($0 <= 5 ? 1 : 0, 1, false) } == 15)
        #expect(try await stop { (0, $0 < 4 ? 1 : 2, false) } == 14)
        #expect(try await stop { (0, 0, $0 <= 7) } == 17)
    }
}
