// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeImaging
import TintypeModel

@testable import TintypeCapture
@testable import TintypeDevice

struct FrameHubTests: NumberedFrames {
    let start = TestClock().now
    private let hub = FrameHub(clock: TestClock())

    private func quality(_ quality: Int) -> Rendition {
        Rendition(ImageOptions(quality: quality), integrity: .strict)
    }

    private func wish(_ fresh: Freshness, _ quality: Int, _ requestedAt: MonotonicTime) -> FrameWish {
        FrameWish(fresh: fresh, rendition: self.quality(quality), requestedAt: requestedAt)
    }

    private func admission(of client: Client, _ table: borrowing DemandTable) -> FrameKey? {
        client.feed.flatMap { table.demand($0.id)?.admission }
    }

    @Test func `an examination keeps a camera open without opening it`() {
        hub.beginWatch()
        #expect(hub.isInDemand && !hub.isAwaited)
        hub.endWatch(isGone: true)
        #expect(!hub.isInDemand && hub.lastUse == FrameHub.never)
        hub.beginWatch()
        hub.endWatch()
        #expect(hub.lastUse >= start)
    }

    @Test(arguments: [false, true], [false, true])
    func `a client wakes the session unless the stream already serves it`(_ outlastsClients: Bool, _ isLargest: Bool)
        async throws
    {
        let clock = TestClock()
        hub.set(outlastsClients: outlastsClients)
        let (wakes, counter) = AsyncStream.makeStream(of: Void.self)
        let session = Task {
            while !Task.isCancelled {
                await hub.inbox.sleep(until: nil)
                counter.yield()
            }
            counter.finish()
        }
        await clock.settle()
        var wish = wish(.next, 80, clock.now)
        wish.isLargest = isLargest
        let feed = hub.open(.still, wish, in: try hub.room.enter())
        await clock.settle()
        feed.close(isGone: false)
        await clock.settle()
        session.cancel()
        hub.inbox.wake()
        // The last wake-up ends the session.
        #expect(await wakes.reduce(0) { count, _ in count + 1 } - 1 == (outlastsClients && !isLargest ? 0 : 2))
    }

    @Test func `a client of a damaged frame fails when the session ends`() {
        let demand = Client(hub, wish(.request, 90, start))
        #expect(hub.offer(FrameStamp(1, at: start), key: key(1), isNew: true) == [quality(90)])
        let problem = Problem(.stopping, "It ends.", remedy: "Wait.")
        hub.close(problem)
        #expect(demand.answer == nil)
        hub.finish(key(1), quality(90), .failure(.notJPEG("cut")))
        #expect(throws: problem) { try demand.answer?.get() }
        #expect(!hub.isInDemand)
    }

    @Test func `delivers an encoded frame without encoding it again`() throws {
        _ = Client(hub, wish(.request, 90, start))
        _ = hub.offer(FrameStamp(1, at: start), key: key(1), isNew: true)
        hub.finish(key(1), quality(90), .success(frame(1)))
        #expect(hub.ready(wish(.latest, 90, TestClock().now)) != nil)
        #expect(hub.ready(wish(.latest, 91, TestClock().now)) == nil)
        #expect(hub.ready(wish(.maxAge(.zero), 90, TestClock().now + .seconds(1))) == nil)
        let late = Client(hub, wish(.latest, 90, TestClock().now))
        #expect(hub.offer(FrameStamp(1, at: start), key: key(1), isNew: false).isEmpty)
        #expect(try late.answer?.get().picture.jpeg == [1])
    }

    @Test func `a late encode of an older frame does not replace the newest`() {
        _ = Client(hub, wish(.next, 90, start))
        _ = hub.offer(FrameStamp(1, at: start), key: key(1), isNew: true)
        _ = Client(hub, wish(.next, 90, start))
        _ = hub.offer(FrameStamp(2, at: start), key: key(2), isNew: true)
        hub.finish(key(2), quality(90), .success(frame(2)))
        hub.finish(key(1), quality(90), .success(frame(1)))
        #expect(hub.ready(wish(.latest, 90, start))?.frame.picture.jpeg == [2])
    }

    @Test func `clients of a damaged frame wait for the next`() {
        let demand = Client(hub, wish(.latest, 90, start))
        #expect(hub.offer(FrameStamp(1, at: start), key: key(1), isNew: true) == [quality(90)])
        hub.finish(key(1), quality(90), .failure(.notJPEG("cut")))
        #expect(demand.answer == nil)
        #expect(hub.offer(FrameStamp(1, at: start), key: key(1), isNew: false).isEmpty)
        #expect(hub.offer(FrameStamp(2, at: start), key: key(2), isNew: true) == [quality(90)])
        hub.finish(key(2), quality(90), .success(frame(2)))
        #expect(demand.leave() == [.corrupt: 1])
        #expect(hub.snapshot.counters.corrupt == 1)
    }

    @Test func `draining the queue does not admit clients that asked later`() {
        let early = Client(hub, wish(.request, 90, start))
        let late = Client(hub, wish(.request, 90, start + .milliseconds(5)))
        hub.admit(after: key(4), seenEmptyAt: start)
        let admissions = hub.state.withLock { (admission(of: early, $0.table), admission(of: late, $0.table)) }
        #expect(admissions.0 == key(4))
        #expect(admissions.1 == nil)
        // The first admission is kept.
        hub.admit(after: key(7), seenEmptyAt: start + .seconds(1))
        #expect(hub.state.withLock { admission(of: early, $0.table) } == key(4))
        #expect(hub.state.withLock { admission(of: late, $0.table) } == key(7))
    }

    @Test func `only frames that arrive after the request count as skipped`() {
        let client = Client(hub, wish(.request, 90, start))
        _ = hub.offer(FrameStamp(1, at: start - .milliseconds(1)), key: key(1), isNew: true)
        #expect(client.feed?.passedOver == PassedFrames())
        // Frame 2 is not new the second time.
        var late = FrameStamp(2, at: start - .milliseconds(1))
        late.dequeued = start + .milliseconds(1)
        _ = hub.offer(late, key: key(2), isNew: true)
        _ = hub.offer(late, key: key(2), isNew: false)
        #expect(client.leave() == [.stale: 1])
    }

    @Test func `a withdrawn request leaves nothing behind`() {
        let waiting = Client(hub, wish(.request, 90, start))
        hub.pass(over: .flagged, count: 2)
        #expect(waiting.leave() == [.flagged: 2])
        let rendering = Client(hub, wish(.request, 90, start))
        _ = hub.offer(FrameStamp(1, at: start), key: key(1), isNew: true)
        #expect(rendering.leave() == [:])
        hub.finish(key(1), quality(90), .success(frame(1)))
        #expect(rendering.answer == nil)
        #expect(!hub.isInDemand)
        #expect(hub.state.withLock { $0.table.demands.isEmpty })
    }

    @Test func `only answered requests count as use of the camera`() {
        let gone = Client(hub, wish(.request, 90, start))
        gone.leave(isGone: true)
        #expect(hub.lastUse == FrameHub.never)
        let first = Client(hub, wish(.request, 90, start))
        let second = Client(hub, wish(.request, 90, start))
        _ = hub.offer(FrameStamp(1, at: start), key: key(1), isNew: true)
        second.leave(isGone: true)
        #expect(hub.lastUse == FrameHub.never)
        hub.finish(key(1), quality(90), .success(frame(1)))
        // Counts before the answered client withdraws: the camera must not close in between.
        #expect(hub.lastUse >= start)
        hub.forgetUse()
        let third = Client(hub, wish(.latest, 90, start))
        _ = hub.offer(FrameStamp(1, at: start), key: key(1), isNew: false)
        #expect(third.answer != nil)
        #expect(hub.lastUse >= start)
        first.leave()
        third.leave()
    }

    @Test func `rejects clients from before a stop`() {
        let stops = hub.stops
        let problem = Problem(.stopping, "Stopped.", remedy: "Ask again.")
        let plan = Demand.Plan.still
        let before = hub.open(plan, wish(.request, 90, start), in: nil, ifStopped: stops)
        #expect(before.step() == nil && hub.isAwaited)
        hub.failAll(problem)
        let late = hub.open(plan, wish(.request, 90, start), in: nil, ifStopped: stops)
        #expect([before, late].map { $0.step()?.problem } == [problem, problem])
        #expect(!hub.isAwaited)
        // A client after the stop opens the camera.
        #expect(hub.open(plan, wish(.request, 90, start), in: nil, ifStopped: hub.stops).step() == nil && hub.isAwaited)
    }

    @Test func `only raw clients get frames flagged as damaged`() throws {
        let raw = Rendition(ImageOptions(quality: 90), integrity: .raw)
        let others = [Integrity.strict, .tolerant].map { integrity in
            let rendition = Rendition(ImageOptions(quality: 90), integrity: integrity)
            return Client(hub, FrameWish(fresh: .next, rendition: rendition, requestedAt: start))
        }
        #expect(!hub.takesDamaged && hub.offerDamaged(FrameStamp(1, at: start), key: key(1)).isEmpty)
        let client = Client(hub, FrameWish(fresh: .next, rendition: raw, requestedAt: start))
        #expect(hub.takesDamaged)
        #expect(hub.offerDamaged(FrameStamp(2, at: start), key: key(2)) == [raw])
        hub.finish(key(2), raw, .success(frame(2)))
        #expect(try client.answer?.get().key == key(2))
        #expect(others.allSatisfy { $0.answer == nil } && hub.awaited == 2)
        // A damaged frame is not held for later clients.
        #expect(hub.ready(FrameWish(fresh: .latest, rendition: raw, requestedAt: start)) == nil)
    }

    @Test func `a raw client counts each damaged frame that it was not offered`() {
        let raw = Rendition(ImageOptions(quality: 90), integrity: .raw)
        let client = Client(hub, FrameWish(fresh: .next, rendition: raw, requestedAt: start))
        hub.pass(over: .flagged, count: 2)
        hub.pass(over: .short, count: 3, isOffered: true)
        #expect(client.leave() == [.flagged: 2, .short: 2])
    }

    private func subscribe(_ rendition: Rendition) -> FrameFeed {
        let wish = FrameWish(fresh: .next, rendition: rendition, requestedAt: start)
        return hub.open(Demand.Plan(allowsGaps: true, isSubscription: true), wish, in: nil)
    }

    /// Number of renditions requested of a new frame.
    private func offered(_ ordinal: UInt64) -> Int {
        hub.offer(stamp(ordinal), key: key(ordinal), isNew: true).count
    }

    /// Ordinals of the frames that are ready for delivery.
    private func taken(_ feed: FrameFeed) -> [UInt64] {
        var all: [UInt64] = []
        while let step = feed.step(), let delivery = step.delivery { all.append(delivery.frame.key.ordinal) }
        return all
    }

    @Test func `bad frames of the largest size do not count for a subscription`() {
        let feed = subscribe(quality(90))
        hub.set(.largest)
        hub.pass(over: .flagged, count: 2)
        #expect(offered(1) == 0 && feed.passedOver.skipped.isEmpty)
        hub.set(.both)
        hub.pass(over: .short, count: 3)
        hub.set(.usual)
        hub.pass(over: .flagged, count: 4)
        #expect(feed.passedOver.skipped == [.short: 3, .flagged: 4])
    }

    @Test func `a refused rendition ends only its own subscription`() {
        let feed = subscribe(quality(90))
        let small = quality(50)
        let other = subscribe(small)
        for ordinal in 1...3 as ClosedRange<UInt64> { #expect(offered(ordinal) == 2) }
        let problem = Problem(.invalidRequest, "It cannot be.", remedy: "Ask for less.", field: "crop")
        hub.finish(key(2), quality(90), .failure(.refused(problem)))
        hub.finish(key(1), quality(90), .success(frame(1)))
        hub.finish(key(3), quality(90), .success(frame(3)))
        for ordinal in 1...3 as ClosedRange<UInt64> { hub.finish(key(ordinal), small, .success(frame(ordinal))) }
        #expect(taken(feed) == [1, 3])
        #expect(feed.step()?.problem == problem)
        #expect(hub.demand(feed.id)?.isOpen == false && hub.snapshot.counters.corrupt == 0)
        // The ended subscription takes no further frame.
        #expect(offered(4) == 1)
        hub.finish(key(4), small, .success(frame(4)))
        #expect(taken(other) == [1, 2, 3, 4])
    }
}
