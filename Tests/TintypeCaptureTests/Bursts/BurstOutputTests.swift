// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    @Suite struct BurstOutputTests {
        private static let full = Problem(.spoolFull, "The spool is full.", remedy: "Make room.")

        /// Takes a burst; `fails` selects stills whose storage fails.
        private static func take(
            _ burst: Burst,
            _ stage: Stage,
            _ store: KeptStills = KeptStills(),
            deadline: Duration = .seconds(20),
            integrity: Integrity = .strict,
            fails: @escaping @Sendable (Int) -> Bool = { _ in false }
        ) async throws(Problem) -> StillList {
            let request = StillRequest(deadline: deadline, burst: burst, integrity: integrity)
            return try await stage.burst(request) { (still) throws(Problem) in
                if fails(store.add(still)) { throw full }
            }
        }

        private static func numbers(_ store: KeptStills) throws -> [Int] {
            try store.all.map { Int(try $0.code().number) }
        }

        @Test(arguments: ["YUYV:256x64@100", "MJPG:256x64@100", "NV12:256x64@100,undated", "YUYV:256x64@100,buffers=2"])
        func `a burst of consecutive frames accounts for every frame`(_ pattern: String) async throws {
            try await Stage.run(pattern) { stage in
                let store = KeptStills()
                let began = TestClock().now
                let list = try await Self.take(.count(30, every: .zero), stage, store)
                #expect(list.stills.count == 30 && list.missed == nil)
                #expect(list.stills == store.all.map(\.record))
                let codes = try store.all.map { try $0.code() }
                #expect(try #require(codes.first).microseconds >= UInt64(began.nanoseconds / 1000))
                for (before, after) in zip(codes, codes.dropFirst()) { #expect(after.number > before.number) }
                let numbers = try Self.numbers(store)
                let lost = try #require(numbers.last) - numbers[0] + 1 - 30
                let told = list.stills.dropFirst().flatMap { ($0.skipped ?? [:]).values }.reduce(0, +)
                #expect((told...told + Int(stage.counters.sequenceGaps)).contains(lost), "\(lost) lost, \(told) told")
                #expect(await TestClock().reaches { !stage.session.dispatcher.need.isInDemand })
            }
        }

        @Test func `slow storage skips frames instead of queueing them`() async throws {
            try await Stage.run("YUYV:256x64@100") { stage in
                let store = KeptStills()
                let waiting = Mutex(0)
                let request = StillRequest(deadline: .seconds(20), burst: .count(20, every: .zero))
                let list = try await stage.burst(request) { still in
                    guard store.add(still) == 0 else { return }
                    let rendered = stage.renders.all.count
                    #expect(await stage.captures(40))
                    waiting.withLock { $0 = stage.renders.all.count - rendered }
                }
                #expect(list.stills.count == 20)
                #expect(waiting.withLock(\.self) <= Subscriber.depth)
                let overrun = list.stills.compactMap { $0.skipped?[.overrun] }.reduce(0, +)
                // Frames skipped by the late timer of the pattern are gaps, not overruns.
                #expect(overrun > 0)
                let numbers = try Self.numbers(store)
                #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
            }
        }

        @Test(arguments: [Warmth.cold, .linger(.seconds(30))])
        func `timed stills are exposed at or after their moments`(_ warmth: Warmth) async throws {
            try await Stage.run("YUYV:256x64@60", warmth: warmth) { stage in
                let store = KeptStills()
                let began = TestClock().now
                let list = try await Self.take(.count(5, every: .milliseconds(120)), stage, store)
                #expect(list.stills.count == 5)
                for (index, still) in store.all.enumerated() {
                    let due = began + .milliseconds(120 * index)
                    #expect(try still.code().microseconds >= UInt64(due.nanoseconds / 1000))
                }
                #expect(Set(try Self.numbers(store)).count == 5)
                #expect(TestClock().now - began >= .milliseconds(480))
                #expect(stage.log.opened == 1)
                #expect(await TestClock().reaches { !stage.session.dispatcher.need.isInDemand })
            }
        }

        @Test func `a timed burst continues after missed stills`() async throws {
            try await Stage.run("YUYV:256x64@50,stall-after=60", "YUYV:256x64@50") { stage in
                _ = try await stage.take()
                let store = KeptStills()
                let began = TestClock().now
                let burst = Burst.count(40, every: .milliseconds(100))
                let list = try await Self.take(burst, stage, store, deadline: .milliseconds(300))
                let missed = try #require(list.missed)
                #expect(missed.allSatisfy { $0.code == .deadlineExceeded && $0.detail.contains("ms") })
                let indices = Set(missed.map(\.index))
                #expect(indices.count == missed.count && list.stills.count + missed.count == 40)
                // Stills that are not missed are in order.
                for (index, still) in zip((0..<40).filter { !indices.contains($0) }, store.all) {
                    let due = began + .milliseconds(100 * index)
                    #expect(try still.code().microseconds >= UInt64(due.nanoseconds / 1000))
                }
            }
        }

        @Test func `a timed burst continues after a storage failure`() async throws {
            try await Stage.run("YUYV:256x64@100") { stage in
                let list = try await Self.take(.count(4, every: .milliseconds(20)), stage) { $0 == 2 }
                #expect(list.stills.count == 3)
                #expect(list.missed?.map(\.index) == [2])
                #expect(list.missed?.first?.code == .spoolFull)
            }
        }

        @Test(arguments: [Burst.count(20, every: .zero), .count(20, every: .milliseconds(10))])
        func `stills are stored concurrently and listed in order`(_ burst: Burst) async throws {
            try await Stage.run("YUYV:256x64@100") { stage in
                let store = KeptStills()
                let atWork = Mutex((now: 0, most: 0))
                let request = StillRequest(deadline: .seconds(20), burst: burst)
                let list = try await stage.burst(request) { (still) throws(Problem) in
                    let number = store.add(still)
                    atWork.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                    defer { atWork.withLock { $0.now -= 1 } }
                    if number == 0 {
                        #expect(await stage.captures(10))
                        #expect(atWork.withLock(\.now) == 1)
                    }
                    // The disk blocks until the maximum of stills is being stored.
                    let full = BurstOutput.mostStoredAtOnce
                    if (1...full).contains(number) {
                        #expect(await TestClock().reaches { atWork.withLock(\.most) >= full })
                    }
                }
                #expect(atWork.withLock(\.most) == BurstOutput.mostStoredAtOnce)
                #expect(list.stills.count == 20 && list.missed == nil)
                #expect(list.stills == store.all.map(\.record))
            }
        }

        @Test func `a storage failure does not discard stills being stored`() async throws {
            try await Stage.run("YUYV:256x64@100") { stage in
                let store = KeptStills()
                let hasFailed = Mutex(false)
                let request = StillRequest(deadline: .seconds(20), burst: .count(1000, every: .zero))
                let list = try await stage.burst(request) { (still) throws(Problem) in
                    guard store.add(still) > 0 else { return }
                    #expect(await TestClock().reaches { store.all.count > BurstOutput.mostStoredAtOnce })
                    // The second still in capture order, regardless of task order.
                    if store.all[1].record.id == still.record.id {
                        hasFailed.withLock { $0 = true }
                        throw Self.full
                    }
                    #expect(await TestClock().reaches { hasFailed.withLock(\.self) })
                }
                let missed = try #require(list.missed)
                #expect(missed.map(\.index) == [1] && missed[0].code == .spoolFull)
                #expect(list.stills.count >= BurstOutput.mostStoredAtOnce)
                #expect(list.stills.count < 100)
                var stored = store.all.map(\.record)
                stored.remove(at: 1)
                #expect(list.stills == stored)
                #expect(await TestClock().reaches { !stage.session.dispatcher.need.isInDemand })
            }
        }

        @Test func `a missing frame ends a burst of consecutive frames`() async throws {
            try await Stage.run("YUYV:256x64@100,stall-after=30") { stage in
                let list = try await Self.take(.count(1000, every: .zero), stage, deadline: .milliseconds(700))
                #expect(!list.stills.isEmpty && list.stills.count <= 30)
                #expect(list.missed?.map(\.index) == [list.stills.count])
                #expect(list.missed?.first?.code == .deadlineExceeded)
            }
        }

        @Test func `the deadline of each still counts from its own moment`() async throws {
            try await Stage.run("YUYV:256x64@50,hang-at=STREAMON,hang=3s", warmth: .cold) { stage in
                let list = try await Self.take(.count(10, every: .milliseconds(100)), stage, deadline: .seconds(5))
                #expect(list.stills.count == 10 && list.missed == nil)
            }
        }

        @Test(arguments: [Burst.count(3, every: .zero), .count(3, every: .milliseconds(50))])
        func `a burst fails if its first still fails`(_ burst: Burst) async throws {
            try await Stage.run("YUYV:256x64@50,gone") { stage in
                #expect(await failure { try await Self.take(burst, stage) }?.code == .deviceLost)
            }
            try await Stage.run("YUYV:256x64@50") { stage in
                #expect(await failure { try await Self.take(burst, stage) { $0 == 0 } }?.code == .spoolFull)
                #expect(await TestClock().reaches { !stage.session.dispatcher.need.isInDemand })
            }
        }

        @Test(arguments: [Burst.count(1000, every: .zero), .count(1000, every: .milliseconds(20))])
        func `a departing client ends the burst`(_ burst: Burst) async throws {
            try await Stage.run("YUYV:256x64@100") { stage in
                let store = KeptStills()
                let task = Task { try await Self.take(burst, stage, store) }
                #expect(await TestClock().reaches { store.all.count >= 3 })
                task.cancel()
                #expect(await failure { try await task.value }?.code == .stopping)
                #expect(store.all.count < 1000)
                #expect(await TestClock().reaches { !stage.session.dispatcher.need.isInDemand })
            }
        }

        @Test(arguments: [Burst.count(1000, every: .zero), .count(1000, every: .milliseconds(20))])
        func `stopping the camera ends the burst`(_ burst: Burst) async throws {
            try await Stage.run("YUYV:256x64@100") { stage in
                let store = KeptStills()
                async let taking = Self.take(burst, stage, store)
                #expect(await TestClock().reaches { store.all.count >= 3 })
                try await stage.session.stop()
                let list = try await taking
                #expect(list.stills.count >= 3)
                #expect(list.missed?.last?.code == .stopping)
                #expect(stage.log.open == 0 && stage.log.opened == 1)
            }
        }

        @Test func `a span takes every nth frame between its ends`() async throws {
            try await Stage.run("YUYV:256x64@50") { stage in
                _ = try await stage.take()
                let store = KeptStills()
                let began = TestClock().now
                let burst = Burst.span(from: .milliseconds(100), to: .milliseconds(500), nth: 3)
                let list = try await Self.take(burst, stage, store)
                #expect(list.stills.count >= 3 && list.stills.count <= 7)
                let numbers = try Self.numbers(store)
                let steps = zip(numbers, numbers.dropFirst()).map { $1 - $0 }
                #expect(steps.allSatisfy { $0 >= 3 })
                if stage.counters.sequenceGaps == 0 { #expect(steps.allSatisfy { $0 == 3 }) }
                for still in store.all {
                    let moment = try still.code().microseconds
                    #expect(moment >= UInt64((began + .milliseconds(100)).nanoseconds / 1000))
                    #expect(moment <= UInt64((began + .milliseconds(600)).nanoseconds / 1000))
                }
            }
        }

        @Test func `a burst skips and counts damaged pictures`() async throws {
            try await Stage.run("MJPG:256x64@50,cut-every=3") { stage in
                let store = KeptStills()
                let list = try await Self.take(.count(12, every: .zero), stage, store)
                #expect(list.stills.count == 12 && list.missed == nil)
                #expect(try Self.numbers(store).count == 12)
                #expect(list.stills.compactMap { $0.skipped?[.corrupt] }.reduce(0, +) >= 3)
            }
        }

        @Test func `a raw burst includes damaged frames`() async throws {
            try await Stage.run("YUYV:256x64@20,flag-every=2", warmth: .hot) { stage in
                _ = try await stage.take(settle: .never)
                let list = try await Self.take(.count(6, every: .zero), stage, integrity: .raw)
                let sequences = list.stills.map(\.sequence)
                #expect(sequences.last.map { Int($0) - Int(sequences[0]) } == 5, "\(sequences)")
                #expect(list.stills.count { $0.faults == [.flagged] && $0.verdict == .damaged } == 3)
                #expect(list.stills.allSatisfy { $0.skipped?[.flagged] == nil })
            }
        }

        @Test func `concurrent bursts share encodes`() async throws {
            try await Stage.run("YUYV:256x64@50") { stage in
                async let first = Self.take(.count(20, every: .zero), stage)
                async let second = Self.take(.count(20, every: .zero), stage)
                let lists = try await [first, second]
                let frames = Set(lists.flatMap(\.stills).map(\.sequence))
                #expect(stage.renders.all.count <= frames.count + 2)
                #expect(Set(stage.renders.all).count == stage.renders.all.count)
            }
        }
    }
}
