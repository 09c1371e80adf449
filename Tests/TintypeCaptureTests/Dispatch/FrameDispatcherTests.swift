// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeImaging
import TintypeModel

@testable import TintypeCapture
@testable import TintypeDevice

struct FrameDispatcherTests: NumberedFrames {
    let start = TestClock().now
    private let dispatcher = FrameDispatcher(clock: TestClock())

    private func quality(_ quality: Int) -> EncodingOptions {
        EncodingOptions(ImageOptions(quality: quality), integrity: .strict)
    }

    private func wish(_ fresh: Freshness, _ quality: Int, _ requestedAt: MonotonicTime) -> FrameWish {
        FrameWish(fresh: fresh, options: self.quality(quality), requestedAt: requestedAt)
    }

    private func admission(of client: Client, _ table: borrowing DemandTable) -> FrameKey? {
        client.feed.flatMap { table.demand($0.id)?.admission }
    }

    @Test func `an examination keeps a camera open without opening it`() {
        dispatcher.beginWatch()
        #expect(dispatcher.isInDemand && !dispatcher.isAwaited)
        dispatcher.endWatch(isGone: true)
        #expect(!dispatcher.isInDemand && dispatcher.lastUse == FrameDispatcher.never)
        dispatcher.beginWatch()
        dispatcher.endWatch()
        #expect(dispatcher.lastUse >= start)
    }

    @Test(arguments: [false, true], [false, true])
    func `a client wakes the session unless the stream already serves it`(_ outlastsClients: Bool, _ isLargest: Bool)
        async throws
    {
        let clock = TestClock()
        dispatcher.set(outlastsClients: outlastsClients)
        let (wakes, counter) = AsyncStream.makeStream(of: Void.self)
        let session = Task {
            while !Task.isCancelled {
                await dispatcher.mailbox.sleep(until: nil)
                counter.yield()
            }
            counter.finish()
        }
        await clock.settle()
        var wish = wish(.next, 80, clock.now)
        wish.isLargest = isLargest
        let feed = dispatcher.open(.still, wish, in: try dispatcher.room.enter())
        await clock.settle()
        feed.close(isGone: false)
        await clock.settle()
        session.cancel()
        dispatcher.mailbox.wake()
        // The last wake-up ends the session.
        #expect(await wakes.reduce(0) { count, _ in count + 1 } - 1 == (outlastsClients && !isLargest ? 0 : 2))
    }

    @Test func `a client of a damaged frame fails when the session ends`() {
        let demand = Client(dispatcher, wish(.request, 90, start))
        #expect(dispatcher.offer(FrameStamp(1, at: start), key: key(1), isNew: true) == [quality(90)])
        let problem = Problem(.stopping, "It ends.", remedy: "Wait.")
        dispatcher.close(problem)
        #expect(demand.answer == nil)
        dispatcher.finish(key(1), quality(90), .failure(.notJPEG("cut")))
        #expect(throws: problem) { try demand.answer?.get() }
        #expect(!dispatcher.isInDemand)
    }

    @Test func `delivers an encoded frame without encoding it again`() throws {
        _ = Client(dispatcher, wish(.request, 90, start))
        _ = dispatcher.offer(FrameStamp(1, at: start), key: key(1), isNew: true)
        dispatcher.finish(key(1), quality(90), .success(frame(1)))
        #expect(dispatcher.ready(wish(.latest, 90, TestClock().now)) != nil)
        #expect(dispatcher.ready(wish(.latest, 91, TestClock().now)) == nil)
        #expect(dispatcher.ready(wish(.maxAge(.zero), 90, TestClock().now + .seconds(1))) == nil)
        let late = Client(dispatcher, wish(.latest, 90, TestClock().now))
        #expect(dispatcher.offer(FrameStamp(1, at: start), key: key(1), isNew: false).isEmpty)
        #expect(try late.answer?.get().picture.jpeg == [1])
    }

    @Test func `a late encode of an older frame does not replace the newest`() {
        _ = Client(dispatcher, wish(.next, 90, start))
        _ = dispatcher.offer(FrameStamp(1, at: start), key: key(1), isNew: true)
        _ = Client(dispatcher, wish(.next, 90, start))
        _ = dispatcher.offer(FrameStamp(2, at: start), key: key(2), isNew: true)
        dispatcher.finish(key(2), quality(90), .success(frame(2)))
        dispatcher.finish(key(1), quality(90), .success(frame(1)))
        #expect(dispatcher.ready(wish(.latest, 90, start))?.frame.picture.jpeg == [2])
    }

    @Test func `clients of a damaged frame wait for the next`() {
        let demand = Client(dispatcher, wish(.latest, 90, start))
        #expect(dispatcher.offer(FrameStamp(1, at: start), key: key(1), isNew: true) == [quality(90)])
        dispatcher.finish(key(1), quality(90), .failure(.notJPEG("cut")))
        #expect(demand.answer == nil)
        #expect(dispatcher.offer(FrameStamp(1, at: start), key: key(1), isNew: false).isEmpty)
        #expect(dispatcher.offer(FrameStamp(2, at: start), key: key(2), isNew: true) == [quality(90)])
        dispatcher.finish(key(2), quality(90), .success(frame(2)))
        #expect(demand.leave() == [.corrupt: 1])
        #expect(dispatcher.snapshot.counters.corrupt == 1)
    }

    @Test func `draining the queue does not admit clients that asked later`() {
        let early = Client(dispatcher, wish(.request, 90, start))
        let late = Client(dispatcher, wish(.request, 90, start + .milliseconds(5)))
        dispatcher.admit(after: key(4), seenEmptyAt: start)
        let admissions = dispatcher.state.withLock { (admission(of: early, $0.table), admission(of: late, $0.table)) }
        #expect(admissions.0 == key(4))
        #expect(admissions.1 == nil)
        // The first admission is kept.
        dispatcher.admit(after: key(7), seenEmptyAt: start + .seconds(1))
        #expect(dispatcher.state.withLock { admission(of: early, $0.table) } == key(4))
        #expect(dispatcher.state.withLock { admission(of: late, $0.table) } == key(7))
    }

    @Test func `only frames that arrive after the request count as skipped`() {
        let client = Client(dispatcher, wish(.request, 90, start))
        _ = dispatcher.offer(FrameStamp(1, at: start - .milliseconds(1)), key: key(1), isNew: true)
        #expect(client.feed?.passedOver == PassedFrames())
        // Frame 2 is not new the second time.
        var late = FrameStamp(2, at: start - .milliseconds(1))
        late.dequeued = start + .milliseconds(1)
        _ = dispatcher.offer(late, key: key(2), isNew: true)
        _ = dispatcher.offer(late, key: key(2), isNew: false)
        #expect(client.leave() == [.stale: 1])
    }

    @Test func `a withdrawn request leaves nothing behind`() {
        let waiting = Client(dispatcher, wish(.request, 90, start))
        dispatcher.pass(over: .flagged, count: 2)
        #expect(waiting.leave() == [.flagged: 2])
        let rendering = Client(dispatcher, wish(.request, 90, start))
        _ = dispatcher.offer(FrameStamp(1, at: start), key: key(1), isNew: true)
        #expect(rendering.leave() == [:])
        dispatcher.finish(key(1), quality(90), .success(frame(1)))
        #expect(rendering.answer == nil)
        #expect(!dispatcher.isInDemand)
        #expect(dispatcher.state.withLock { $0.table.demands.isEmpty })
    }

    @Test func `only answered requests count as use of the camera`() {
        let gone = Client(dispatcher, wish(.request, 90, start))
        gone.leave(isGone: true)
        #expect(dispatcher.lastUse == FrameDispatcher.never)
        let first = Client(dispatcher, wish(.request, 90, start))
        let second = Client(dispatcher, wish(.request, 90, start))
        _ = dispatcher.offer(FrameStamp(1, at: start), key: key(1), isNew: true)
        second.leave(isGone: true)
        #expect(dispatcher.lastUse == FrameDispatcher.never)
        dispatcher.finish(key(1), quality(90), .success(frame(1)))
        // Counts before the answered client withdraws: the camera must not close in between.
        #expect(dispatcher.lastUse >= start)
        dispatcher.forgetUse()
        let third = Client(dispatcher, wish(.latest, 90, start))
        _ = dispatcher.offer(FrameStamp(1, at: start), key: key(1), isNew: false)
        #expect(third.answer != nil)
        #expect(dispatcher.lastUse >= start)
        first.leave()
        third.leave()
    }

    @Test func `rejects clients from before a stop`() {
        let stops = dispatcher.stops
        let problem = Problem(.stopping, "Stopped.", remedy: "Ask again.")
        let plan = Demand.Plan.still
        let before = dispatcher.open(plan, wish(.request, 90, start), in: nil, ifStopped: stops)
        #expect(before.step() == nil && dispatcher.isAwaited)
        dispatcher.failAll(problem)
        let late = dispatcher.open(plan, wish(.request, 90, start), in: nil, ifStopped: stops)
        #expect([before, late].map { $0.step()?.problem } == [problem, problem])
        #expect(!dispatcher.isAwaited)
        // A client after the stop opens the camera.
        #expect(
            dispatcher.open(plan, wish(.request, 90, start), in: nil, ifStopped: dispatcher.stops).step() == nil
                && dispatcher.isAwaited
        )
    }

    @Test func `only raw clients get frames flagged as damaged`() throws {
        let raw = EncodingOptions(ImageOptions(quality: 90), integrity: .raw)
        let others = [Integrity.strict, .tolerant].map { integrity in
            let options = EncodingOptions(ImageOptions(quality: 90), integrity: integrity)
            return Client(dispatcher, FrameWish(fresh: .next, options: options, requestedAt: start))
        }
        #expect(!dispatcher.takesDamaged && dispatcher.offerDamaged(FrameStamp(1, at: start), key: key(1)).isEmpty)
        let client = Client(dispatcher, FrameWish(fresh: .next, options: raw, requestedAt: start))
        #expect(dispatcher.takesDamaged)
        #expect(dispatcher.offerDamaged(FrameStamp(2, at: start), key: key(2)) == [raw])
        dispatcher.finish(key(2), raw, .success(frame(2)))
        #expect(try client.answer?.get().key == key(2))
        #expect(others.allSatisfy { $0.answer == nil } && dispatcher.awaited == 2)
        // A damaged frame is not held for later clients.
        #expect(dispatcher.ready(FrameWish(fresh: .latest, options: raw, requestedAt: start)) == nil)
    }

    @Test func `a raw client counts each damaged frame that it was not offered`() {
        let raw = EncodingOptions(ImageOptions(quality: 90), integrity: .raw)
        let client = Client(dispatcher, FrameWish(fresh: .next, options: raw, requestedAt: start))
        dispatcher.pass(over: .flagged, count: 2)
        dispatcher.pass(over: .short, count: 3, isOffered: true)
        #expect(client.leave() == [.flagged: 2, .short: 2])
    }

    private func subscribe(_ options: EncodingOptions) -> FrameFeed {
        let wish = FrameWish(fresh: .next, options: options, requestedAt: start)
        return dispatcher.open(Demand.Plan(allowsGaps: true, isSubscription: true), wish, in: nil)
    }

    /// Number of options requested of a new frame.
    private func offered(_ ordinal: UInt64) -> Int {
        dispatcher.offer(stamp(ordinal), key: key(ordinal), isNew: true).count
    }

    /// Ordinals of the frames that are ready for delivery.
    private func taken(_ feed: FrameFeed) -> [UInt64] {
        var all: [UInt64] = []
        while let step = feed.step(), let delivery = step.delivery { all.append(delivery.frame.key.ordinal) }
        return all
    }

    @Test func `bad frames of the largest size do not count for a subscription`() {
        let feed = subscribe(quality(90))
        dispatcher.set(.largest)
        dispatcher.pass(over: .flagged, count: 2)
        #expect(offered(1) == 0 && feed.passedOver.skipped.isEmpty)
        dispatcher.set(.both)
        dispatcher.pass(over: .short, count: 3)
        dispatcher.set(.usual)
        dispatcher.pass(over: .flagged, count: 4)
        #expect(feed.passedOver.skipped == [.short: 3, .flagged: 4])
    }

    @Test func `a refused options ends only its own subscription`() {
        let feed = subscribe(quality(90))
        let small = quality(50)
        let other = subscribe(small)
        for ordinal in 1...3 as ClosedRange<UInt64> { #expect(offered(ordinal) == 2) }
        let problem = Problem(.invalidRequest, "It cannot be.", remedy: "Ask for less.", field: "crop")
        dispatcher.finish(key(2), quality(90), .failure(.refused(problem)))
        dispatcher.finish(key(1), quality(90), .success(frame(1)))
        dispatcher.finish(key(3), quality(90), .success(frame(3)))
        for ordinal in 1...3 as ClosedRange<UInt64> { dispatcher.finish(key(ordinal), small, .success(frame(ordinal))) }
        #expect(taken(feed) == [1, 3])
        #expect(feed.step()?.problem == problem)
        #expect(dispatcher.demand(feed.id)?.isOpen == false && dispatcher.snapshot.counters.corrupt == 0)
        // The ended subscription takes no further frame.
        #expect(offered(4) == 1)
        dispatcher.finish(key(4), small, .success(frame(4)))
        #expect(taken(other) == [1, 2, 3, 4])
    }
}
