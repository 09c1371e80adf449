// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeImaging
import TintypeModel
import TintypeThreads

@testable import TintypeCapture
@testable import TintypeFrames

struct DemandTests: NumberedFrames {
    let start = TestClock().now
    private let wish = FrameWish(
        fresh: .next,
        rendition: Rendition(StillRendering(quality: 90), integrity: .strict),
        requestedAt: MonotonicTime(nanoseconds: 0)
    )

    private func demand(_ plan: Demand.Plan) -> Demand { Demand(id: 1, wish, plan, place: nil) }

    private func take(_ ordinals: UInt64..., into demand: inout Demand) {
        for ordinal in ordinals {
            let isTaken = demand.take(stamp(ordinal), key: key(ordinal), now: start)
            #expect(isTaken)
        }
    }

    private func finish(_ ordinals: UInt64..., of demand: inout Demand) {
        for ordinal in ordinals { demand.finish(key(ordinal), .success(frame(ordinal))) }
    }

    /// What can be taken out now: the ordinals of frames.
    private func steps(_ demand: inout Demand) -> [String] {
        var steps: [String] = []
        while let step = demand.next() {
            switch step {
            case .frame(let delivery): steps.append("\(delivery.frame.key.ordinal)")
            case .end: return steps + ["end"]
            case .failed: return steps + ["failed"]
            }
        }
        return steps
    }

    @Test func `frames come out in the order of their capture, whichever is made first`() {
        var demand = demand(Demand.Plan(count: 3))
        take(1, 2, 3, into: &demand)
        #expect(!demand.isOpen && demand.isPending)
        finish(2, 3, of: &demand)
        #expect(!demand.isReady)
        #expect(steps(&demand) == [])
        finish(1, of: &demand)
        #expect(demand.isReady && !demand.isPending)
        #expect(steps(&demand) == ["1", "2", "3", "end"])
    }

    @Test func `one frame is enough for a still, and none is taken twice`() throws {
        var demand = demand(.still)
        take(2, into: &demand)
        let again = demand.take(stamp(3), key: key(3), now: start)
        #expect(!again)
        demand.finish(key(2), .failure(.notJPEG("cut")))
        #expect(demand.isOpen && demand.passedOver.skipped == [.corrupt: 1])
        let same = demand.take(stamp(2), key: key(2), now: start)
        #expect(!same)
        take(3, into: &demand)
        finish(3, of: &demand)
        let step = demand.next()
        let delivery = try #require(step?.delivery)
        #expect(delivery.skipped == [.corrupt: 1] && delivery.settleDelay == .zero)
    }

    @Test func `the opening that a frame was waited for is told, whatever is opened before it is handed out`() throws {
        var table = DemandTable()
        let id = table.add(wish, .still, place: nil)
        let opening = SessionSnapshot.Opening(began: start, took: .milliseconds(40))
        table.opening = opening
        let wanted = table.offer(stamp(1), key: key(1), isNew: true, now: start)
        #expect(wanted.count == 1)
        table.opening = SessionSnapshot.Opening(began: start + .seconds(1), took: .milliseconds(900))
        _ = table.finish(DemandTable.Order(key: key(1), rendition: wish.rendition), .success(frame(1)), now: start)
        let step = table.take(id, orElse: nil)
        let delivery = try #require(step?.delivery)
        #expect(delivery.opening == opening)
    }

    @Test func `a frame that settling has held back was not passed over, and its delay is told once`() {
        var demand = demand(Demand.Plan(count: 2))
        demand.holdBack(stamp(1), key: key(1), isNew: true)
        demand.holdBack(stamp(2), key: key(2), isNew: true)
        #expect(demand.passedOver.skipped == [.unsettled: 2])
        let isTaken = demand.take(stamp(2), key: key(2), now: start + .milliseconds(31))
        #expect(isTaken)
        take(3, into: &demand)
        finish(2, 3, of: &demand)
        var delays: [Duration] = []
        var passed: [[SkipReason: Int]] = []
        while case .frame(let delivery) = demand.next() {
            delays.append(delivery.settleDelay)
            passed.append(delivery.skipped)
        }
        #expect(passed == [[.unsettled: 1], [:]])
        #expect(delays == [.milliseconds(30), .zero])
    }

    @Test func `each n-th frame is taken, up to the end, and those in between show that frames come`() {
        var demand = demand(Demand.Plan(nth: 3, end: start + .milliseconds(7)))
        let taken = (1...9 as ClosedRange<UInt64>).filter { demand.take(stamp($0), key: key($0), now: start) }
        #expect(taken == [1, 4, 7])
        #expect(!demand.isOpen && demand.lastUnwanted == stamp(6).dequeued)
        finish(1, 4, 7, of: &demand)
        #expect(steps(&demand) == ["1", "4", "7", "end"])
    }

    @Test func `a demand that has all its frames is not failed by a stop, and one whose frames are not made is`() {
        let stopped = Problem(.stopping, "The camera was stopped.", remedy: "Ask again.")
        var complete = demand(Demand.Plan(count: 2))
        take(1, 2, into: &complete)
        finish(1, 2, of: &complete)
        complete.abandon(stopped)
        #expect(steps(&complete) == ["1", "2", "end"])
        var unfinished = demand(Demand.Plan(count: 2))
        take(1, 2, into: &unfinished)
        finish(1, of: &unfinished)
        unfinished.abandon(stopped)
        #expect(steps(&unfinished) == ["1", "failed"])
    }

    @Test func `a frame that turns out damaged leaves what was passed over before it to the one behind it`() throws {
        var demand = demand(Demand.Plan(count: 2))
        demand.pass(over: .flagged)
        take(1, 2, into: &demand)
        demand.finish(key(1), .failure(.notJPEG("cut")))
        finish(2, of: &demand)
        let step = demand.next()
        let delivery = try #require(step?.delivery)
        #expect(delivery.frame.key == key(2) && delivery.skipped == [.flagged: 1, .corrupt: 1])
    }

    @Test func `only consecutive frames forbid an interruption, and only while one is still wanted`() {
        var burst = demand(Demand.Plan(count: 1))
        #expect(burst.forbidsGaps && !demand(Demand.Plan(count: 1, allowsGaps: true)).forbidsGaps)
        take(1, into: &burst)
        #expect(!burst.forbidsGaps)
    }

    @Test func `a failure leaves the frames that were taken, a stop only those that are made`() {
        let problem = Problem(.deviceLost, "It is gone.", remedy: "Plug it in.")
        for isStop in [false, true] {
            var demand = demand(Demand.Plan(count: 3))
            take(1, 2, into: &demand)
            finish(1, of: &demand)
            if isStop { demand.abandon(problem) } else { demand.fail(problem) }
            finish(2, of: &demand)
            #expect(steps(&demand) == (isStop ? ["1", "failed"] : ["1", "2", "failed"]))
            let last = demand.next()
            #expect(last?.problem == problem)
        }
    }
}
