// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeImaging
import TintypeModel
import TintypeSystem

@testable import TintypeCapture
@testable import TintypeDevice

struct SubscriberTests: NumberedFrames {
    let start = TestClock().now
    private let criteria = FrameCriteria(
        fresh: .next,
        options: EncodingOptions(ImageOptions(quality: 90), integrity: .strict),
        requestedAt: MonotonicTime(nanoseconds: 0)
    )

    private func subscriber(count: Int? = nil, nth: Int = 1, end: MonotonicTime? = nil) -> Subscriber {
        var criteria = criteria
        (criteria.count, criteria.nth, criteria.end) = (count, nth, end)
        return Subscriber(id: 1, criteria, place: nil, TaskWaker(clock: TestClock()))
    }

    private func take(_ ordinals: UInt64..., into subscriber: inout Subscriber) {
        for ordinal in ordinals {
            let isTaken = subscriber.take(stamp(ordinal), now: start)
            #expect(isTaken)
        }
    }

    private func finish(_ ordinals: UInt64..., of subscriber: inout Subscriber) {
        for ordinal in ordinals { subscriber.finish(key(ordinal), .success(image(ordinal))) }
    }

    /// Ordinals of the frames that are ready for delivery.
    private func steps(_ subscriber: inout Subscriber) -> [String] {
        var steps: [String] = []
        while let step = subscriber.next() {
            switch step {
            case .frame(let delivery): steps.append("\(delivery.image.key.ordinal)")
            case .end: return steps + ["end"]
            case .failed: return steps + ["failed"]
            }
        }
        return steps
    }

    @Test func `delivers frames in capture order`() {
        var subscriber = subscriber(count: 3)
        take(1, 2, 3, into: &subscriber)
        #expect(!subscriber.isOpen && subscriber.isPending)
        finish(2, 3, of: &subscriber)
        #expect(!subscriber.isReady)
        #expect(steps(&subscriber) == [])
        finish(1, of: &subscriber)
        #expect(subscriber.isReady && !subscriber.isPending)
        #expect(steps(&subscriber) == ["1", "2", "3", "end"])
    }

    @Test func `a still replaces a damaged frame by a new one`() throws {
        var subscriber = subscriber(count: 1)
        take(2, into: &subscriber)
        let again = subscriber.take(stamp(3), now: start)
        #expect(!again)
        subscriber.finish(key(2), .failure(.notJPEG("cut")))
        #expect(subscriber.isOpen && subscriber.queue.passedOver.skipped == [.corrupt: 1])
        let same = subscriber.take(stamp(2), now: start)
        #expect(!same)
        take(3, into: &subscriber)
        finish(3, of: &subscriber)
        let step = subscriber.next()
        let delivery = try #require(step?.delivery)
        #expect(delivery.skipped == [.corrupt: 1] && delivery.settleDelay == .zero)
    }

    @Test func `a delivery reports the opening of its own frame`() throws {
        var state = DispatchState()
        let id = state.subscribers.add(criteria, place: nil, TaskWaker(clock: TestClock()))
        let opening = SessionSnapshot.Opening(began: start, took: .milliseconds(40))
        state.opening = opening
        let wanted = state.offer(stamp(1), isNew: true, now: start)
        #expect(wanted.count == 1)
        state.opening = SessionSnapshot.Opening(began: start + .seconds(1), took: .milliseconds(900))
        _ = state.finish(key(1), criteria.options, .success(image(1)), now: start)
        var step: FrameSubscription.Step?
        state.subscribers.change(id) { step = $0.next() }
        let delivery = try #require(step?.delivery)
        #expect(delivery.opening == opening)
    }

    @Test func `reports the settle delay and the unsettled frames once`() {
        var subscriber = subscriber(count: 2)
        subscriber.holdBack(stamp(1), isNew: true)
        subscriber.holdBack(stamp(2), isNew: true)
        #expect(subscriber.queue.passedOver.skipped == [.unsettled: 2])
        let isTaken = subscriber.take(stamp(2), now: start + .milliseconds(31))
        #expect(isTaken)
        take(3, into: &subscriber)
        finish(2, 3, of: &subscriber)
        var delays: [Duration] = []
        var passed: [[SkipReason: Int]] = []
        while case .frame(let delivery) = subscriber.next() {
            delays.append(delivery.settleDelay)
            passed.append(delivery.skipped)
        }
        #expect(passed == [[.unsettled: 1], [:]])
        #expect(delays == [.milliseconds(30), .zero])
    }

    @Test func `takes every nth frame until its end time`() {
        var subscriber = subscriber(nth: 3, end: start + .milliseconds(7))
        let taken = (1...9 as ClosedRange<UInt64>).filter { subscriber.take(stamp($0), now: start) }
        #expect(taken == [1, 4, 7])
        #expect(!subscriber.isOpen && subscriber.lastUnwanted == stamp(6).dequeued)
        finish(1, 4, 7, of: &subscriber)
        #expect(steps(&subscriber) == ["1", "4", "7", "end"])
    }

    @Test func `a frame that is dated too late does not end a span`() {
        var subscriber = subscriber(end: start + .milliseconds(7))
        take(4, into: &subscriber)
        var late = stamp(5)
        (late.exposureStart, late.uncertainty, late.source) = (start + .milliseconds(9), .milliseconds(3), .dequeue)
        let isLateTaken = subscriber.take(late, now: start)
        #expect(!isLateTaken && subscriber.isOpen)
        take(6, into: &subscriber)
        let isLastTaken = subscriber.take(stamp(8), now: start)
        #expect(!isLastTaken && !subscriber.isOpen)
    }

    @Test func `abandoning fails only incomplete requests`() {
        let stopped = Problem(.stopping, "The camera was stopped.", remedy: "Ask again.")
        var complete = subscriber(count: 2)
        take(1, 2, into: &complete)
        finish(1, 2, of: &complete)
        complete.abandon(stopped)
        #expect(steps(&complete) == ["1", "2", "end"])
        var unfinished = subscriber(count: 2)
        take(1, 2, into: &unfinished)
        finish(1, of: &unfinished)
        unfinished.abandon(stopped)
        #expect(steps(&unfinished) == ["1", "failed"])
    }

    @Test func `a damaged frame passes its skip counts to the next delivery`() throws {
        var subscriber = subscriber(count: 2)
        subscriber.pass(over: .flagged)
        take(1, 2, into: &subscriber)
        subscriber.finish(key(1), .failure(.notJPEG("cut")))
        finish(2, of: &subscriber)
        let step = subscriber.next()
        let delivery = try #require(step?.delivery)
        #expect(delivery.image.key == key(2) && delivery.skipped == [.flagged: 1, .corrupt: 1])
    }

    @Test func `a delivery has all frames skipped since the one before, also those counted meanwhile`() {
        var subscriber = subscriber()
        subscriber.pass(over: .flagged)
        let first = subscriber.queue.takeUncounted()
        take(2, into: &subscriber)
        subscriber.finish(key(2), .failure(.notJPEG("cut")))
        let second = subscriber.queue.takeUncounted()
        subscriber.pass(over: .flagged)
        take(4, 5, into: &subscriber)
        finish(4, 5, of: &subscriber)
        var skipped: [[SkipReason: Int]] = []
        while case .frame(let delivery) = subscriber.next() { skipped.append(delivery.skipped) }
        #expect(skipped == [[.flagged: 2, .corrupt: 1], [:]])
        let (third, fourth) = (subscriber.queue.takeUncounted(), subscriber.queue.takeUncounted())
        #expect([first, second, third, fourth] == [[.flagged: 1], [.corrupt: 1], [.flagged: 1], [:]])
    }

    @Test func `only open subscriptions to consecutive frames forbid gaps`() {
        var criteria = criteria
        for allowsGaps in [false, true] {
            criteria.allowsGaps = allowsGaps
            var subscriber = Subscriber(id: 1, criteria, place: nil, TaskWaker(clock: TestClock()))
            var need = CameraNeed()
            need.add(subscriber)
            #expect(need.isInBurst != allowsGaps)
            take(1, into: &subscriber)
            need = CameraNeed()
            need.add(subscriber)
            #expect(!need.isInBurst)
        }
    }

    @Test func `a failure still delivers frames being encoded, a stop does not`() {
        let problem = Problem(.deviceLost, "It is gone.", remedy: "Plug it in.")
        for isStop in [false, true] {
            var subscriber = subscriber(count: 3)
            take(1, 2, into: &subscriber)
            finish(1, of: &subscriber)
            if isStop { subscriber.abandon(problem) } else { subscriber.fail(problem) }
            finish(2, of: &subscriber)
            #expect(steps(&subscriber) == (isStop ? ["1", "failed"] : ["1", "2", "failed"]))
            let last = subscriber.next()
            #expect(last?.problem == problem)
        }
    }

    /// A request, a frame and the expected objection.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let fresh: Freshness
        let source: TimestampSource
        let ordinal: UInt64
        /// Exposure and dequeue relative to the request, in milliseconds.
        let exposed: Int
        let dequeued: Int
        let admission: FrameKey?
        let objection: SkipReason?

        /// `undated` is the ordinal of a frame without a timestamp.
        init(
            _ testDescription: String,
            _ fresh: Freshness,
            undated: UInt64? = nil,
            exposed: Int,
            dequeued: Int = 1,
            admission: (stream: UInt64, ordinal: UInt64)? = nil,
            _ objection: SkipReason?
        ) {
            self.testDescription = testDescription
            self.fresh = fresh
            (source, ordinal) = (undated == nil ? .startOfExposure : .dequeue, undated ?? 5)
            (self.exposed, self.dequeued) = (exposed, dequeued)
            self.admission = admission.map { FrameKey(stream: $0.stream, ordinal: $0.ordinal) }
            self.objection = objection
        }
    }

    @Test(arguments: [
        Case("exposed after the request for sure", .request, exposed: 10, nil),
        Case("perhaps exposed before the request", .request, exposed: 9, .stale),
        Case("undated, not admitted", .request, undated: 5, exposed: 1, .undated),
        Case("undated, first after admission", .request, undated: 5, exposed: 1, admission: (1, 4), .undated),
        Case("undated, second after admission", .request, undated: 5, exposed: 1, admission: (1, 3), nil),
        Case("undated, of a later stream", .request, undated: 2, exposed: 1, admission: (0, 90), nil),
        Case("undated, first of a later stream", .request, undated: 1, exposed: 1, admission: (0, 90), .undated),
        Case("next, begun before", .next, exposed: -30, nil),
        Case("next, held already", .next, exposed: -30, dequeued: -1, .stale),
        Case("next, in the queue for long", .next, exposed: -2500, .stale),
        Case("latest, young", .latest, exposed: -2500, dequeued: -1, nil),
        Case("latest, too old", .latest, exposed: -3500, dequeued: -1, .stale),
        Case("latest, first of an undated stream", .latest, undated: 1, exposed: 0, .undated),
        Case("young enough for sure", .maxAge(.milliseconds(50)), exposed: -40, nil),
        Case("perhaps too old", .maxAge(.milliseconds(50)), exposed: -41, .stale),
        Case("perhaps too old, undated", .maxAge(.milliseconds(50)), undated: 5, exposed: -41, .stale),
    ])
    func `accepts or rejects a frame by its freshness`(_ item: Case) {
        let criteria = FrameCriteria(fresh: item.fresh, options: criteria.options, requestedAt: start)
        var stamp = FrameStamp(item.ordinal, at: start + .milliseconds(item.exposed), source: item.source)
        stamp.uncertainty = .milliseconds(10)
        stamp.dequeued = start + .milliseconds(item.dequeued)
        let objection = criteria.objection(
            to: stamp,
            admission: item.admission,
            now: start,
            limits: FrameLimits(silence: .seconds(3), queue: .seconds(2))
        )
        #expect(objection == item.objection)
    }
}
