// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeAPI
import TintypeModel

@testable import tintyped

/// Films and clips that cannot be made or stored.
struct FilmFaultTests {
    @Test func `a film that can never be stored fails, with its reason and remedy`() async throws {
        let site = JobSite()
        site.store.add("f", .film)
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            let order = try await site.next(session).order
            site.store.refusal.withLock {
                $0 = Problem(.configurationConflict, "The film has 2.1G.", remedy: "Make a shorter film.")
            }
            #expect(await problem { try await site.finishVideo(order) }?.code == .configurationConflict)
            let job = try await site.scheduler.job("f")
            #expect(job.state == .failed && job.error == "The film has 2.1G. Make a shorter film.")
            #expect(await site.orders(session).isEmpty)
        }
        #expect(Set(site.events) == [.jobBegan, .jobFailed] && site.events.count == 2)
    }

    @Test func `the order of a clip that is read slowly, or in vain, holds up no upload`() async throws {
        let site = JobSite()
        site.store.add("c", .clip) { $0.priority = 1 }
        site.store.add("a", pictures: 1)
        let clock = site.clock
        site.store.reading.withLock { $0 = { try? await clock.sleep(for: .seconds(40)) } }
        try await site.run {
            let session = try site.scheduler.connect("uid 1")
            #expect(try await site.next(session).order.job == "a")
            site.store.orderFailure.withLock { $0 = FakeStore.late }
            #expect(try await clock.reaches(within: .seconds(60)) { try await site.scheduler.job("c").attempts == 1 })
            site.store.orderFailure.withLock { $0 = nil }
            site.store.add("b", pictures: 1)
            site.scheduler.wake()
            #expect(try await site.next(session).order.job == "b")
            #expect(try await site.next(session).order.job == "c")
        }
        #expect(!site.lines.lines.contains { $0.contains("cannot be read") })
    }
}
