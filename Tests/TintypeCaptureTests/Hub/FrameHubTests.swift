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

    @Test func `an examination keeps a camera open and opens none, and a client that leaves it has not used it`() {
        hub.beginWatch()
        #expect(hub.isInDemand && !hub.isAwaited)
        hub.endWatch(isGone: true)
        #expect(!hub.isInDemand && hub.lastUse == FrameHub.never)
        hub.beginWatch()
        hub.endWatch()
        #expect(hub.lastUse >= start)
    }

    @Test(arguments: [false, true], [false, true])
    func `a client wakes the session, but that of a stream which outlasts it only for another size`(
        _ outlastsClients: Bool,
        _ isLargest: Bool
    ) async throws {
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
        // The last is that which ends it.
        #expect(await wakes.reduce(0) { count, _ in count + 1 } - 1 == (outlastsClients && !isLargest ? 0 : 2))
    }

    @Test func `a client that waits for a frame that turns out damaged is told that the session has ended`() {
        let demand = Client(hub, wish(.request, 90, start))
        #expect(hub.offer(FrameStamp(1, at: start), key: key(1), isNew: true) == [quality(90)])
        let problem = Problem(.stopping, "It ends.", remedy: "Wait.")
        hub.close(problem)
        #expect(demand.answer == nil)
        hub.finish(key(1), quality(90), .failure(.notJPEG("cut")))
        #expect(throws: problem) { try demand.answer?.get() }
        #expect(!hub.isInDemand)
    }

    @Test func `a frame that is encoded already is handed out without another encode`() throws {
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

    @Test func `an older encode that ends late does not push out the newest`() {
        _ = Client(hub, wish(.next, 90, start))
        _ = hub.offer(FrameStamp(1, at: start), key: key(1), isNew: true)
        _ = Client(hub, wish(.next, 90, start))
        _ = hub.offer(FrameStamp(2, at: start), key: key(2), isNew: true)
        hub.finish(key(2), quality(90), .success(frame(2)))
        hub.finish(key(1), quality(90), .success(frame(1)))
        #expect(hub.ready(wish(.latest, 90, start))?.frame.picture.jpeg == [2])
    }

    @Test func `a damaged frame puts the clients that wait back in line and is not offered again`() {
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

    @Test func `a client that asked after the queue began to be emptied is not admitted by that`() {
        let early = Client(hub, wish(.request, 90, start))
        let late = Client(hub, wish(.request, 90, start + .milliseconds(5)))
        hub.admit(after: key(4), seenEmptyAt: start)
        let admissions = hub.state.withLock { (admission(of: early, $0.table), admission(of: late, $0.table)) }
        #expect(admissions.0 == key(4))
        #expect(admissions.1 == nil)
        // The first admission stays.
        hub.admit(after: key(7), seenEmptyAt: start + .seconds(1))
        #expect(hub.state.withLock { admission(of: early, $0.table) } == key(4))
        #expect(hub.state.withLock { admission(of: late, $0.table) } == key(7))
    }

    @Test func `only frames that come after the request are counted as passed over`() {
        let client = Client(hub, wish(.request, 90, start))
        _ = hub.offer(FrameStamp(1, at: start - .milliseconds(1)), key: key(1), isNew: true)
        #expect(client.feed?.passedOver == PassedFrames())
        // It was there when the first one came, and is no new one.
        var late = FrameStamp(2, at: start - .milliseconds(1))
        late.dequeued = start + .milliseconds(1)
        _ = hub.offer(late, key: key(2), isNew: true)
        _ = hub.offer(late, key: key(2), isNew: false)
        #expect(client.leave() == [.stale: 1])
    }

    @Test func `a demand that is withdrawn leaves nothing behind`() {
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

    @Test func `an answer is a use of the camera from its moment on; a client that has gone is none`() {
        let gone = Client(hub, wish(.request, 90, start))
        gone.leave(isGone: true)
        #expect(hub.lastUse == FrameHub.never)
        let first = Client(hub, wish(.request, 90, start))
        let second = Client(hub, wish(.request, 90, start))
        _ = hub.offer(FrameStamp(1, at: start), key: key(1), isNew: true)
        second.leave(isGone: true)
        #expect(hub.lastUse == FrameHub.never)
        hub.finish(key(1), quality(90), .success(frame(1)))
        // Before the one that was answered has come to withdraw: the camera must not be closed in between.
        #expect(hub.lastUse >= start)
        hub.forgetUse()
        let third = Client(hub, wish(.latest, 90, start))
        _ = hub.offer(FrameStamp(1, at: start), key: key(1), isNew: false)
        #expect(third.answer != nil)
        #expect(hub.lastUse >= start)
        first.leave()
        third.leave()
    }

    @Test func `a client from before a stop is refused, however late it asks for its next frame`() {
        let stops = hub.stops
        let problem = Problem(.stopping, "Stopped.", remedy: "Ask again.")
        let plan = Demand.Plan.still
        let before = hub.open(plan, wish(.request, 90, start), in: nil, ifStopped: stops)
        #expect(before.step() == nil && hub.isAwaited)
        hub.failAll(problem)
        let late = hub.open(plan, wish(.request, 90, start), in: nil, ifStopped: stops)
        #expect([before, late].map { $0.step()?.problem } == [problem, problem])
        #expect(!hub.isAwaited)
        // One that comes after the stop opens the camera, as any.
        #expect(hub.open(plan, wish(.request, 90, start), in: nil, ifStopped: hub.stops).step() == nil && hub.isAwaited)
    }

    @Test func `a frame that the driver calls damaged is for clients that take it as it is, and for no others`() throws
    {
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
        // Never given later.
        #expect(hub.ready(FrameWish(fresh: .latest, rendition: raw, requestedAt: start)) == nil)
    }

    private func subscribe(_ rendition: Rendition) -> FrameFeed {
        let wish = FrameWish(fresh: .next, rendition: rendition, requestedAt: start)
        return hub.open(Demand.Plan(allowsGaps: true, isSubscription: true), wish, in: nil)
    }

    /// Number of renditions that are wanted of a new frame.
    private func offered(_ ordinal: UInt64) -> Int {
        hub.offer(stamp(ordinal), key: key(ordinal), isNew: true).count
    }

    /// The ordinals of the frames that can be taken out now.
    private func taken(_ feed: FrameFeed) -> [UInt64] {
        var all: [UInt64] = []
        while let step = feed.step(), let delivery = step.delivery { all.append(delivery.frame.key.ordinal) }
        return all
    }

    @Test func `frames of the largest size that were no good are none that a subscription missed`() {
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

    @Test func `a rendition that is refused ends a subscription behind the frames that it has, and no other`() {
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
        // It takes no further one.
        #expect(offered(4) == 1)
        hub.finish(key(4), small, .success(frame(4)))
        #expect(taken(other) == [1, 2, 3, 4])
    }
}
