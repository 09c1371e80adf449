// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeCapture
import TintypeModel
import TintypeSystem

@testable import TintypeAPI
@testable import tintyped

/// Several spools as one, as the API sees them.
struct FramesTests {
    private static let gone = Problem(.spoolUnavailable, "/usb is gone.", remedy: "Plug it in.")
    private let clock = ManualClock()
    private let disk = FakeStore("default", [10, 30, 50, 70])
    private let card = FakeStore("card", [20, 40, 60])
    private let dead = FakeStore("usb", [], failure: gone)

    private var frames: Frames { Frames(spools: [disk, card], clock: clock) }

    /// All pages of a list.
    private func pages(of frames: Frames, _ order: FrameOrder, _ limit: Int) async throws -> [FramePage] {
        var query = FrameQuery(order: order, limit: limit)
        var pages: [FramePage] = []
        repeat {
            pages.append(try await frames.frames(query))
            query.cursor = pages.last?.next
        } while query.cursor != nil
        return pages
    }

    @Test(arguments: FrameOrder.allCases, [1, 2, 3, 7, 100])
    func `lists the frames of all spools by id, each once`(order: FrameOrder, limit: Int) async throws {
        let pages = try await pages(of: frames, order, limit)
        #expect(pages.allSatisfy { $0.unavailable == nil && $0.frames.count <= limit })
        #expect(pages.dropLast().allSatisfy { $0.frames.count == limit })
        let all: [UInt32] = [10, 20, 30, 40, 50, 60, 70]
        #expect(pages.flatMap(\.frames).map(\.still.sequence) == (order == .oldest ? all : all.reversed()))
    }

    @Test(arguments: FrameOrder.allCases, [1, 2, 3])
    func `a list is complete despite incomplete pages of a spool`(
        order: FrameOrder,
        step: Int
    ) async throws {
        let frames = Frames(spools: [card, FakeStore("slow", [5, 10, 30, 45, 50, 70], step: step)], clock: clock)
        let pages = try await pages(of: frames, order, 4)
        #expect(pages.allSatisfy { $0.frames.count <= 4 })
        let all: [UInt32] = [5, 10, 20, 30, 40, 45, 50, 60, 70]
        #expect(pages.flatMap(\.frames).map(\.still.sequence) == (order == .oldest ? all : all.reversed()))
    }

    @Test func `a thumbnail takes a place, or is refused`() async throws {
        let room = RequestLimiter(for: "make a thumbnail", places: 1)
        let frames = Frames(spools: [disk], clock: clock, thumbnailRoom: room)
        let place = try room.enter()
        let id = try await frames.frames(FrameQuery(limit: 1)).frames.map(\.id)
        #expect(await problem { _ = try await frames.thumbnail(of: id[0], width: 64) }?.code == .tooManyRequests)
        withExtendedLifetime(place) {}
    }

    @Test func `one client may ask for the thumbnails of the largest page at once`() throws {
        let room = RequestLimiter.forThumbnails()
        try RequestClient.$current.withValue("uid 33") {
            let places = try (0..<FrameQuery.limitRange.upperBound).map { _ in try room.enter() }
            #expect(room.taken == places.count)
        }
    }

    @Test func `a list after a number is of one spool`() async throws {
        let query = FrameQuery(after: 0)
        let refused = await problem { try await frames.frames(query) }
        #expect(refused?.code == .invalidRequest && refused?.field == "spool")
        #expect(refused?.remedy.contains("default, card") == true)
        let page = try await frames.frames(FrameQuery(after: 0, spool: "card"))
        #expect(page.frames.count == 3 && page.frames.allSatisfy { $0.spool == "card" })
        #expect(try await Frames(spools: [disk], clock: clock).frames(query).frames.count == 4)
        #expect(await problem { try await frames.frames(FrameQuery(spool: "none")) }?.code == .notFound)
    }

    @Test func `a list names an unavailable spool and has the frames of the others`() async throws {
        let page = try await Frames(spools: [dead, card], clock: clock).frames(FrameQuery())
        #expect(page.frames.count == 3)
        #expect(page.unavailable == ["usb"])
        for spools in [[dead], [dead, dead]] {
            #expect(await problem { try await Frames(spools: spools, clock: clock).frames(FrameQuery()) } == Self.gone)
        }
    }

    @Test func `counts the frames of all spools, and names an unavailable one`() async throws {
        let times = [0, 15, 45, 50, 55, 90].map { Timestamp(microseconds: $0 * 1_000_000) }
        let list = try await Frames(spools: [disk, dead, card], clock: clock).spans(FrameSpanQuery(times: times))
        #expect(list.spans.map(\.from) == [times[0], times[1], times[3], times[4]])
        #expect(list.spans.map(\.to) == [times[1], times[2], times[4], times[5]])
        #expect(list.spans.map(\.frames) == [1, 3, 1, 2])
        // Of the frames at 10, 40, 50 and 70 s.
        let newest = [disk.frames[0].id, card.frames[1].id, disk.frames[2].id, disk.frames[3].id]
        #expect(list.spans.map(\.newest) == newest && list.unavailable == ["usb"])
        let gone = await problem {
            _ = try await Frames(spools: [dead], clock: clock).spans(FrameSpanQuery(times: times))
        }
        #expect(gone == Self.gone)
    }

    @Test func `finds a frame in any spool`() async throws {
        for store in [disk, card] {
            let id = store.frames[1].id
            #expect(try await frames.frame(id).spool == store.name)
            #expect(try await frames.file(of: id).whole == Array(store.name.utf8))
            // The stored bytes are not a picture.
            #expect(await problem { try await frames.thumbnail(of: id, width: 32) }?.code == .corruptOnly)
            #expect(try await Frames(spools: [dead, disk, card], clock: clock).frame(id).spool == store.name)
        }
    }

    @Test func `an unknown frame is unavailable while a spool is`() async throws {
        let unknown = FrameID(at: Timestamp(microseconds: 5))
        #expect(await problem { try await frames.frame(unknown) }?.code == .frameNotFound)
        // The unavailable spool may have it.
        for spools in [[dead, card], [card, dead]] {
            #expect(await problem { try await Frames(spools: spools, clock: clock).frame(unknown) } == Self.gone)
        }
    }

    @Test func `thumbnails keep at most two pictures in memory`() async throws {
        let gate = Gate()
        let reading = Mutex(0)
        disk.atReading.withLock {
            $0 = {
                reading.withLock { $0 += 1 }
                gate.wait()
            }
        }
        let (frames, ids) = (frames, disk.frames.map(\.id))
        await withTaskGroup(of: ProblemCode?.self) { group in
            for id in ids {
                group.addTask { await problem { try await frames.thumbnail(of: id, width: 32) }?.code }
            }
            try? await eventually("two are read") { reading.withLock(\.self) == 2 }
            for _ in 0..<100 { await Task.yield() }
            #expect(reading.withLock(\.self) == 2)
            gate.open()
            // The stored bytes are not pictures.
            for await code in group { #expect(code == .corruptOnly) }
        }
        #expect(reading.withLock(\.self) == ids.count)
    }

    @Test func `filters frames of all spools, unless an unavailable one may have the rest`() async throws {
        let known = Set(card.frames.map(\.id) + disk.frames.map(\.id))
        #expect(try await frames.frames(known, fitting: .is(.camera("front"))) == known)
        #expect(try await frames.frames(known, fitting: .is(.camera("yard"))).isEmpty)
        let some = Frames(spools: [dead, disk, card], clock: clock)
        #expect(try await some.frames(known, fitting: .is(.camera("front"))) == known)
        // The unavailable spool may have the missing ones.
        #expect(await problem { try await some.frames(known, fitting: .is(.camera("yard"))) } == Self.gone)
    }

    @Test func `the problem of the first unavailable spool is told, whichever answers first`() async throws {
        let late = FakeStore("nas", [], failure: FakeStore.late)
        late.atPage.withLock { [dead] in
            $0 = {
                while dead.deadlines.isEmpty { await Task.yield() }
                for _ in 0..<100 { await Task.yield() }
            }
        }
        let none = Frames(spools: [late, dead], clock: clock)
        for _ in 0..<5 {
            let found = await problem { try await none.frames([disk.frames[0].id], fitting: .is(.camera("front"))) }
            #expect(found == FakeStore.late)
        }
    }

    @Test func `a change reports only frames in no spool as missing`() async throws {
        let unknown = FrameID(at: Timestamp(microseconds: 5))
        let ids = [card.frames[0].id, unknown, disk.frames[0].id, unknown]
        let outcome = try await frames.apply(FrameChange(.ids(ids), FrameEdit(pinned: true)))
        #expect(outcome == FrameOutcome(changed: 2, missing: [unknown]))
        #expect(card.frames[0].pinned && disk.frames[0].pinned && !disk.frames[1].pinned)
        #expect(try await frames.delete(.filter(.everything)).changed == 7)
    }

    @Test func `an unavailable spool fails a change only for frames it may have`() async throws {
        let partly = Frames(spools: [dead, card], clock: clock)
        let known = card.frames[0].id
        #expect(try await partly.delete(.ids([known])) == FrameOutcome(changed: 1))
        let other = disk.frames[0].id
        let some = try await partly.delete(.ids([known, other]))
        #expect(some == FrameOutcome(changed: 1, failed: [other], problem: Self.gone))
        let fitting = try await partly.delete(.filter(.everything))
        #expect(fitting == FrameOutcome(changed: 3, problem: Self.gone))
        // Nothing was changed.
        for (spools, selection) in [([dead, card], FrameSelection.ids([other])), ([dead], .filter(.everything))] {
            #expect(await problem { try await Frames(spools: spools, clock: clock).delete(selection) } == Self.gone)
        }
    }

    @Test func `does not wait for a hanging spool if the others have all frames`() async throws {
        let some = Frames(spools: [FakeStore("usb", [], isHung: true), card, disk], clock: clock)
        let ids = [card.frames[0].id, disk.frames[1].id]
        #expect(try await some.apply(FrameChange(.ids(ids), FrameEdit(pinned: true))) == FrameOutcome(changed: 2))
    }

    @Test func `waits in full for a hanging spool on only one page`() async throws {
        let hung = FakeStore("usb", [], isHung: true)
        let some = Frames(spools: [hung, card], clock: clock)
        for (round, wait) in [Duration.seconds(10), .seconds(1), .seconds(1)].enumerated() {
            let page = try await some.frames(FrameQuery(limit: 1))
            #expect(page.frames.count == 1 && page.unavailable == ["usb"])
            try #require(hung.deadlines.count == round + 1 && card.deadlines.count == round + 1)
            #expect(card.deadlines[round] == clock.now + .seconds(10))
            #expect(hung.deadlines[round] == clock.now + wait)
        }
    }

    @Test func `reports the other spools while one hangs or fails`() async throws {
        let hung = FakeStore("usb", [], isHung: true)
        for bad in [hung, dead] {
            let some = Frames(spools: [disk, bad, card], clock: clock)
            let verified = try await some.verify(VerificationRequest())
            #expect(verified.reports.map(\.spool) == ["default", "card"] && verified.unavailable == ["usb"])
            let thinned = try await some.retention(RetentionRequest())
            #expect(thinned.reports.map(\.spool) == ["default", "card"] && thinned.unavailable == ["usb"])
            let named = await #expect(throws: Problem.self) { try await some.verify(VerificationRequest(spool: "usb")) }
            #expect(named == (bad === hung ? FakeStore.late : Self.gone))
        }
    }

    @Test func `reports, verifies and thins out all spools or the named one`() async throws {
        let all = Frames(spools: [disk, dead, card], clock: clock)
        let spools = await all.spools(within: .patience)
        #expect(spools.map(\.spool) == ["default", "usb", "card"])
        #expect(spools.map { $0.statistics?.total.frames } == [4, nil, 3])
        #expect(spools.map { $0.verification?.of } == [4, nil, 3])
        #expect(try await frames.verify(VerificationRequest(deep: true)).reports.map(\.takenIn) == [4, 3])
        #expect(try await all.verify(VerificationRequest(spool: "card")).reports.map(\.spool) == ["card"])
        let thinned = try await frames.retention(RetentionRequest(dryRun: true))
        #expect(thinned.reports.map(\.isDryRun) == [true, true] && thinned.unavailable == nil)
        let unknown = await problem { try await all.retention(RetentionRequest(spool: "none")) }
        #expect(unknown?.code == .notFound)
        #expect(unknown?.remedy == "Use one of: default, usb, card.")
    }
}

/// Stored frames of a client with a role for one camera.
struct OwnFramesOfSpoolsTests {
    private let clock = ManualClock()

    private static func caller(of camera: String) -> Caller {
        Caller(name: "uid 1", via: .user, rules: [AccessRule(.user("1"), .role(.admin, cameras: [camera]))])
    }

    @Test func `a hanging spool blocks no picture and no change in the others`() async throws {
        let hung = FakeStore("usb", [], isHung: true, pagesWait: true)
        let disk = FakeStore("default", Array(1...50))
        let own = AuthorizedFrames(
            frames: Frames(spools: [hung, disk], clock: clock),
            caller: Self.caller(of: "front")
        )
        let ids = disk.frames.map(\.id)
        #expect(try await own.file(of: ids[0]).whole == Array("default".utf8))
        #expect(try await own.delete(.ids(ids)) == FrameOutcome(changed: 50))
    }

    @Test func `looking up many frames ends after a minute`() async throws {
        let disk = FakeStore("default", Array(1...50))
        disk.atPage.withLock { $0 = { [clock] in clock.move(to: clock.offset + .seconds(7)) } }
        let frames = Frames(spools: [disk], clock: clock)
        let own = AuthorizedFrames(frames: frames, caller: Self.caller(of: "front"))
        let change = FrameChange(.ids(disk.frames.map(\.id)), FrameEdit(pinned: true))
        #expect(await problem { try await own.apply(change) }?.code == .deadlineExceeded)
        #expect(disk.deadlines.count == 9)
    }
}
