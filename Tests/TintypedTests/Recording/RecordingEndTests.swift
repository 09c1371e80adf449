// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeCapture
import TintypeDevice
import TintypeModel
import TintypeSystem

@testable import tintyped

extension ClipRecorderTests {
    @Test func `a ring that is read slowly is recorded to the last frame`() async throws {
        try await run { site in
            // The ring has five seconds.
            try #require(await reaches { site.session.status.counters.captured >= 120 })
            site.store.contents.withLock { $0.delay = .milliseconds(60) }
            _ = try await site.record(.seconds(2), before: .seconds(5))
            let began = TestClock().now
            let file = try await site.finished()
            #expect(TestClock().now - began > .seconds(7))
            try expectTimes(of: file)
            #expect(file.times.count >= 138 - site.gaps)
            #expect(try #require(file.times.last) >= .milliseconds(6900 - 50 * site.gaps))
            #expect(site.errors.isEmpty || site.gaps > 0)
        }
    }

    @Test(arguments: [1, 30])
    func `a pause keeps earlier frames of a ring that is read slowly`(seconds: Int) async throws {
        try await run { site in
            // The ring has five seconds.
            try #require(await reaches { site.session.status.counters.captured >= 120 })
            site.store.contents.withLock { $0.delay = .milliseconds(60) }
            let job = try await site.record(.seconds(4), before: .seconds(5))
            try await site.pass(.seconds(1))
            site.recordings.apply(.pause, job.id)
            try await site.pass(.seconds(seconds))
            site.recordings.apply(.resume, job.id)
            let file = try await site.finished()
            let (codes, times) = (try file.codes(), file.times)
            let steps = zip(codes, codes.dropFirst()).map { Int($1.number) - Int($0.number) }
            #expect(steps.count { $0 > 15 } == 1, "\(steps)")
            // The frames of five seconds and of the one before the pause.
            let before = steps.firstIndex { $0 > 15 } ?? 0
            #expect(before >= 115 - site.gaps && before <= 122)
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 > $0 && $1 - $0 < .milliseconds(300) })
            #expect(try #require(times.last) > .milliseconds(8500) && times.count >= 175 - site.gaps)
        }
    }

    @Test func `a shutdown closes the file and sets the error of the job`() async throws {
        let stores = Mutex<[FakeClipStore]>([])
        try await run { site in
            stores.withLock { $0.append(site.store) }
            // It is cancelled in a write.
            site.store.contents.withLock { $0.delay = .milliseconds(30) }
            _ = try await site.record(.seconds(3600))
            try await site.pass(.seconds(2))
        }
        let store = try #require(stores.withLock { $0 }.first)
        let file = try #require(store.file)
        #expect(file.isClosed && file.times.count > 30)
        #expect(store.errors.withLock(\.self) == ["The recording ended early: tintyped was stopped."])
    }

    @Test func `a client that goes before it has the job leaves no recording`() async throws {
        // It settles after one and a half seconds.
        try await run("YUYV:640x360@20,ramp=30", warmth: .cold, hasRing: false) { site in
            let request = Task { try await site.record(.seconds(2)) }
            #expect(await reaches { site.session.status.counters.captured >= 5 })
            request.cancel()
            await #expect(throws: Problem.self) { _ = try await request.value }
            #expect(await reaches { site.recordings.isEmpty })
            #expect(site.store.file == nil)
            let second = Task { try await site.record(.seconds(2)) }
            site.store.whenAdded.withLock { $0 = { second.cancel() } }
            await #expect(throws: Problem.self) { _ = try await second.value }
            #expect(await reaches { site.recordings.isEmpty })
            #expect(site.store.file?.isRemoved == true && site.store.jobs.withLock(\.isEmpty))
        }
    }
}
