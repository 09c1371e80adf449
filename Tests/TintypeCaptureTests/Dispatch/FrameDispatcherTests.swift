// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeImaging
import TintypeModel
import TintypeSystem

@testable import TintypeCapture
@testable import TintypeDevice

struct FrameDispatcherTests: NumberedFrames {
    let start = TestClock().now
    private let dispatcher = FrameDispatcher(clock: TestClock())

    private func quality(_ quality: Int) -> EncodingOptions {
        EncodingOptions(ImageOptions(quality: quality), integrity: .strict)
    }

    private func criteria(_ fresh: Freshness, _ quality: Int, _ requestedAt: MonotonicTime) -> FrameCriteria {
        FrameCriteria(fresh: fresh, options: self.quality(quality), requestedAt: requestedAt)
    }

    /// Image that a new client gets of the newest frame; nil if none is made yet that fits.
    private func made(_ criteria: FrameCriteria, of newest: Int) throws -> [UInt8]? {
        let client = Client(dispatcher, criteria)
        defer { client.leave() }
        let wanted = dispatcher.offer(FrameStamp(newest, at: start), isNew: false)
        return wanted.isEmpty ? try client.answer?.get().jpeg : nil
    }

    private func admission(of client: Client) -> FrameKey? {
        client.frames.flatMap { frames in dispatcher.state.withLock { $0.subscribers[frames.id]?.admission } }
    }

    @Test func `an examination keeps a camera open without opening it`() {
        dispatcher.beginWatch()
        #expect(dispatcher.need.isInDemand && !dispatcher.need.isAwaited)
        dispatcher.endWatch(isGone: true)
        #expect(!dispatcher.need.isInDemand && dispatcher.lastUse == MonotonicTime.never)
        dispatcher.beginWatch()
        dispatcher.endWatch()
        #expect(dispatcher.lastUse >= start)
    }

    @Test(arguments: [false, true], [false, true])
    func `a client wakes the session unless the stream already serves it`(_ outlastsClients: Bool, _ isLargest: Bool)
        async throws
    {
        let clock = TestClock()
        dispatcher.state.withLock { $0.outlastsClients = outlastsClients }
        let (wakes, counter) = AsyncStream.makeStream(of: Void.self)
        let session = Task {
            while !Task.isCancelled {
                await dispatcher.mailbox.waker.sleep(until: nil)
                counter.yield()
            }
            counter.finish()
        }
        await clock.settle()
        var criteria = criteria(.next, 80, clock.now)
        criteria.isLargest = isLargest
        let frames = dispatcher.subscribe(criteria, in: try dispatcher.limiter.enter())
        await clock.settle()
        frames.close(isGone: false)
        await clock.settle()
        session.cancel()
        dispatcher.mailbox.waker.wake()
        // The last wake-up ends the session.
        #expect(await wakes.reduce(0) { count, _ in count + 1 } - 1 == (outlastsClients && !isLargest ? 0 : 2))
    }

    @Test func `a client of a damaged frame fails when the session ends`() {
        let demand = Client(dispatcher, criteria(.request, 90, start))
        #expect(dispatcher.offer(FrameStamp(1, at: start), isNew: true) == [quality(90)])
        let problem = Problem(.stopping, "It ends.", remedy: "Wait.")
        dispatcher.change { $0.close(problem) }
        #expect(demand.answer == nil)
        dispatcher.finish(key(1), quality(90), .failure(.notJPEG("cut")))
        #expect(throws: problem) { try demand.answer?.get() }
        #expect(!dispatcher.need.isInDemand)
    }

    @Test func `delivers an encoded frame without encoding it again`() throws {
        _ = Client(dispatcher, criteria(.request, 90, start))
        _ = dispatcher.offer(FrameStamp(1, at: start), isNew: true)
        dispatcher.finish(key(1), quality(90), .success(image(1)))
        #expect(try made(criteria(.latest, 90, TestClock().now), of: 1) == [1])
        #expect(try made(criteria(.latest, 91, TestClock().now), of: 1) == nil)
        #expect(try made(criteria(.maxAge(.zero), 90, TestClock().now + .seconds(1)), of: 1) == nil)
        let late = Client(dispatcher, criteria(.latest, 90, TestClock().now))
        #expect(dispatcher.offer(FrameStamp(1, at: start), isNew: false).isEmpty)
        #expect(try late.answer?.get().jpeg == [1])
    }

    @Test func `a late encode of an older frame does not replace the newest`() throws {
        _ = Client(dispatcher, criteria(.next, 90, start))
        _ = dispatcher.offer(FrameStamp(1, at: start), isNew: true)
        _ = Client(dispatcher, criteria(.next, 90, start))
        _ = dispatcher.offer(FrameStamp(2, at: start), isNew: true)
        dispatcher.finish(key(2), quality(90), .success(image(2)))
        dispatcher.finish(key(1), quality(90), .success(image(1)))
        #expect(try made(criteria(.latest, 90, start), of: 2) == [2])
    }

    @Test func `clients of a damaged frame wait for the next`() {
        let demand = Client(dispatcher, criteria(.latest, 90, start))
        #expect(dispatcher.offer(FrameStamp(1, at: start), isNew: true) == [quality(90)])
        dispatcher.finish(key(1), quality(90), .failure(.notJPEG("cut")))
        #expect(demand.answer == nil)
        #expect(dispatcher.offer(FrameStamp(1, at: start), isNew: false).isEmpty)
        #expect(dispatcher.offer(FrameStamp(2, at: start), isNew: true) == [quality(90)])
        dispatcher.finish(key(2), quality(90), .success(image(2)))
        #expect(demand.leave() == [.corrupt: 1])
        #expect(dispatcher.published.snapshot.counters.corrupt == 1)
    }

    @Test func `damage is counted once for each frame, however many images are made of it`() {
        let clients = [90, 80].map { Client(dispatcher, criteria(.request, $0, start)) }
        #expect(dispatcher.offer(FrameStamp(1, at: start), isNew: true).count == 2)
        let isFirst = [90, 80].map { dispatcher.finish(key(1), quality($0), .failure(.notJPEG("cut"))) }
        #expect(isFirst == [true, false])
        #expect(dispatcher.published.snapshot.counters.corrupt == 1)
        for client in clients { #expect(client.leave() == [.corrupt: 1]) }
    }

    @Test func `draining the queue does not admit clients that asked later`() {
        let early = Client(dispatcher, criteria(.request, 90, start))
        let late = Client(dispatcher, criteria(.request, 90, start + .milliseconds(5)))
        dispatcher.state.withLock { $0.admit(after: key(4), seenEmptyAt: start) }
        #expect(admission(of: early) == key(4) && admission(of: late) == nil)
        // The first admission is kept.
        dispatcher.state.withLock { $0.admit(after: key(7), seenEmptyAt: start + .seconds(1)) }
        #expect(admission(of: early) == key(4) && admission(of: late) == key(7))
    }

    @Test func `only frames that arrive after the request count as skipped`() {
        let client = Client(dispatcher, criteria(.request, 90, start))
        _ = dispatcher.offer(FrameStamp(1, at: start - .milliseconds(1)), isNew: true)
        #expect(client.frames?.passedOver == PassedFrames())
        // Frame 2 is not new the second time.
        var late = FrameStamp(2, at: start - .milliseconds(1))
        late.dequeued = start + .milliseconds(1)
        _ = dispatcher.offer(late, isNew: true)
        _ = dispatcher.offer(late, isNew: false)
        #expect(client.leave() == [.stale: 1])
    }

    @Test func `a withdrawn request leaves nothing behind`() {
        let waiting = Client(dispatcher, criteria(.request, 90, start))
        dispatcher.pass(over: .flagged, count: 2)
        #expect(waiting.leave() == [.flagged: 2])
        let rendering = Client(dispatcher, criteria(.request, 90, start))
        _ = dispatcher.offer(FrameStamp(1, at: start), isNew: true)
        #expect(rendering.leave() == [:])
        dispatcher.finish(key(1), quality(90), .success(image(1)))
        #expect(rendering.answer == nil)
        #expect(!dispatcher.need.isInDemand)
        #expect(dispatcher.state.withLock { $0.subscribers.all.isEmpty })
    }

    @Test func `only answered requests count as use of the camera`() {
        let gone = Client(dispatcher, criteria(.request, 90, start))
        gone.leave(isGone: true)
        #expect(dispatcher.lastUse == MonotonicTime.never)
        let first = Client(dispatcher, criteria(.request, 90, start))
        let second = Client(dispatcher, criteria(.request, 90, start))
        _ = dispatcher.offer(FrameStamp(1, at: start), isNew: true)
        second.leave(isGone: true)
        #expect(dispatcher.lastUse == MonotonicTime.never)
        dispatcher.finish(key(1), quality(90), .success(image(1)))
        // Counts before the answered client withdraws: the camera must not close in between.
        #expect(dispatcher.lastUse >= start)
        dispatcher.lastUse = MonotonicTime.never
        let third = Client(dispatcher, criteria(.latest, 90, start))
        _ = dispatcher.offer(FrameStamp(1, at: start), isNew: false)
        #expect(third.answer != nil)
        #expect(dispatcher.lastUse >= start)
        first.leave()
        third.leave()
    }

    @Test func `rejects clients from before a stop`() {
        let stops = dispatcher.stops.count
        let problem = Problem(.stopping, "Stopped.", remedy: "Ask again.")
        let before = dispatcher.subscribe(criteria(.request, 90, start), ifStopped: stops)
        #expect(before.step() == nil && dispatcher.need.isAwaited)
        dispatcher.change { $0.stop(problem) }
        let late = dispatcher.subscribe(criteria(.request, 90, start), ifStopped: stops)
        #expect([before, late].map { $0.step()?.problem } == [problem, problem])
        #expect(!dispatcher.need.isAwaited)
        // A client after the stop opens the camera.
        #expect(
            dispatcher.subscribe(criteria(.request, 90, start), ifStopped: dispatcher.stops.count).step() == nil
                && dispatcher.need.isAwaited
        )
    }

    @Test func `only raw clients get frames flagged as damaged`() throws {
        let raw = EncodingOptions(ImageOptions(quality: 90), integrity: .raw)
        let others = [Integrity.strict, .tolerant].map { integrity in
            let options = EncodingOptions(ImageOptions(quality: 90), integrity: integrity)
            return Client(dispatcher, FrameCriteria(fresh: .next, options: options, requestedAt: start))
        }
        #expect(!dispatcher.takesDamaged && dispatcher.offerDamaged(FrameStamp(1, at: start)).isEmpty)
        let client = Client(dispatcher, FrameCriteria(fresh: .next, options: raw, requestedAt: start))
        #expect(dispatcher.takesDamaged)
        #expect(dispatcher.offerDamaged(FrameStamp(2, at: start)) == [raw])
        dispatcher.finish(key(2), raw, .success(image(2)))
        #expect(try client.answer?.get().key == key(2))
        #expect(others.allSatisfy { $0.answer == nil } && dispatcher.awaited == 2)
        // A damaged frame is not held for later clients.
        #expect(dispatcher.state.withLock { $0.memo == nil && $0.held == nil })
    }

    @Test func `a raw client counts each damaged frame that it was not offered`() {
        let raw = EncodingOptions(ImageOptions(quality: 90), integrity: .raw)
        let client = Client(dispatcher, FrameCriteria(fresh: .next, options: raw, requestedAt: start))
        dispatcher.pass(over: .flagged, count: 2)
        dispatcher.pass(over: .short, count: 3, isOffered: true)
        #expect(client.leave() == [.flagged: 2, .short: 2])
    }

    private func subscribe(_ options: EncodingOptions) -> FrameSubscription {
        dispatcher.subscribe(
            FrameCriteria(
                fresh: .next,
                options: options,
                opens: false,
                requestedAt: start,
                count: nil,
                lifetime: .untilEnd
            )
        )
    }

    /// Number of options requested of a new frame.
    private func offered(_ ordinal: UInt64) -> Int {
        dispatcher.offer(stamp(ordinal), isNew: true).count
    }

    /// Ordinals of the frames that are ready for delivery.
    private func taken(_ feed: FrameSubscription) -> [UInt64] {
        var all: [UInt64] = []
        while let step = feed.step(), let delivery = step.delivery { all.append(delivery.image.key.ordinal) }
        return all
    }

    @Test func `bad frames of the largest size do not count for a subscription`() {
        let feed = subscribe(quality(90))
        dispatcher.state.withLock { ($0.isUsualSize, $0.isLargestSize) = (false, true) }
        dispatcher.pass(over: .flagged, count: 2)
        #expect(offered(1) == 0 && feed.passedOver.skipped.isEmpty)
        dispatcher.state.withLock { $0.isUsualSize = true }
        dispatcher.pass(over: .short, count: 3)
        dispatcher.state.withLock { $0.isLargestSize = false }
        dispatcher.pass(over: .flagged, count: 4)
        #expect(feed.passedOver.skipped == [.short: 3, .flagged: 4])
    }

    @Test func `refused options end only their own subscription`() {
        let feed = subscribe(quality(90))
        let small = quality(50)
        let other = subscribe(small)
        for ordinal in 1...3 as ClosedRange<UInt64> { #expect(offered(ordinal) == 2) }
        let problem = Problem(.invalidRequest, "It cannot be.", remedy: "Ask for less.", field: "crop")
        dispatcher.finish(key(2), quality(90), .failure(.refused(problem)))
        dispatcher.finish(key(1), quality(90), .success(image(1)))
        dispatcher.finish(key(3), quality(90), .success(image(3)))
        for ordinal in 1...3 as ClosedRange<UInt64> { dispatcher.finish(key(ordinal), small, .success(image(ordinal))) }
        #expect(taken(feed) == [1, 3])
        #expect(feed.step()?.problem == problem)
        #expect(dispatcher.awaited == 1 && dispatcher.published.snapshot.counters.corrupt == 0)
        // The ended subscription takes no further frame.
        #expect(offered(4) == 1)
        dispatcher.finish(key(4), small, .success(image(4)))
        #expect(taken(other) == [1, 2, 3, 4])
    }
}
