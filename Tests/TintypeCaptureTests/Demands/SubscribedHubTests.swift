// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeImaging
import TintypeModel
import TintypeThreads

@testable import TintypeCapture
@testable import TintypeFrames

/// What a subscription is at the hub, besides the clients that wait.
struct SubscribedHubTests: NumberedFrames {
    let start = TestClock().now
    private let rendition = Rendition(StillRendering(quality: 90), integrity: .strict)

    /// A subscription to all frames of `hub`, in `rendition` or this one.
    private func subscribe(_ hub: FrameHub, _ rendition: Rendition? = nil) -> FrameFeed {
        let wish = FrameWish(fresh: .next, rendition: rendition ?? self.rendition, requestedAt: start)
        return hub.open(Demand.Plan(allowsGaps: true, isSubscription: true), wish, in: nil)
    }

    private func wait(_ hub: FrameHub, _ fresh: Freshness) -> Client {
        Client(hub, FrameWish(fresh: fresh, rendition: rendition, requestedAt: start))
    }

    private func offer(_ ordinal: UInt64, to hub: FrameHub, isNew: Bool = true, ring: Rendition? = nil) -> Int {
        hub.offer(stamp(ordinal), key: key(ordinal), isNew: isNew, ring: ring).count
    }

    /// The ordinals of the frames that can be taken out now, and how many were passed over before each.
    private func taken(_ feed: FrameFeed) -> [UInt64: [SkipReason: Int]] {
        var all: [UInt64: [SkipReason: Int]] = [:]
        while case .frame(let delivery) = feed.step() { all[delivery.frame.key.ordinal] = delivery.skipped }
        return all
    }

    @Test func `it opens no camera and keeps none open, nor does what is encoded for it alone`() {
        let hub = FrameHub(clock: TestClock())
        let feed = subscribe(hub)
        #expect(!hub.isAwaited && !hub.isInDemand && !hub.awaitsUsual && !hub.isInBurst)
        #expect(offer(1, to: hub) == 1)
        #expect(!hub.isInDemand)
        hub.finish(key(1), rendition, .success(frame(1)))
        #expect(taken(feed).keys.sorted() == [1])
        // It is no use that a camera lingers for.
        #expect(hub.lastUse == FrameHub.never)
        feed.close(isGone: true)
        #expect(hub.lastUse == FrameHub.never && offer(2, to: hub) == 0)
    }

    @Test(arguments: [true, false])
    func `what another client waits for as well keeps the camera open, and is encoded once`(_ isFirst: Bool) {
        let hub = FrameHub(clock: TestClock())
        var waiting: Client?
        if isFirst { waiting = wait(hub, .next) }
        let feed = subscribe(hub)
        #expect(offer(1, to: hub, ring: rendition) == 1)
        if !isFirst {
            #expect(!hub.isInDemand)
            waiting = wait(hub, .latest)
            #expect(offer(1, to: hub, isNew: false) == 0)
        }
        #expect(hub.isInDemand)
        hub.finish(key(1), rendition, .success(frame(1)))
        #expect(waiting?.answer != nil)
        #expect(taken(feed).keys.sorted() == [1])
        #expect(!hub.isInDemand && hub.lastUse >= start)
    }

    @Test func `one that takes nothing out loses its own frames and no other's`() {
        let hub = FrameHub(clock: TestClock())
        let slow = subscribe(hub)
        let quick = subscribe(hub)
        var seen: [UInt64: [SkipReason: Int]] = [:]
        for ordinal in 1...20 as ClosedRange<UInt64> {
            #expect(offer(ordinal, to: hub) == 1)
            hub.finish(key(ordinal), rendition, .success(frame(ordinal)))
            seen.merge(taken(quick)) { _, new in new }
        }
        #expect(seen.keys.sorted() == Array(1...20) && seen.values.allSatisfy(\.isEmpty))
        let room = UInt64(Demand.room)
        #expect(taken(slow).keys.sorted() == Array(1...room))
        #expect(slow.passedOver.skipped == [.overrun: 20 - Demand.room])
        // Nothing is encoded for those that cannot take it.
        quick.close(isGone: true)
        let wanted = (21...40 as ClosedRange<UInt64>).map { offer($0, to: hub) }
        #expect(wanted.reduce(0, +) == Demand.room && wanted.suffix(20 - Demand.room).allSatisfy { $0 == 0 })
    }

    @Test func `frames of the largest size that were no good are none that it missed`() {
        let hub = FrameHub(clock: TestClock())
        let feed = subscribe(hub)
        hub.set(.largest)
        hub.pass(over: .flagged, count: 2)
        #expect(offer(1, to: hub) == 0 && feed.passedOver.skipped.isEmpty)
        hub.set(.both)
        hub.pass(over: .short, count: 3)
        hub.set(.usual)
        hub.pass(over: .flagged, count: 4)
        #expect(feed.passedOver.skipped == [.short: 3, .flagged: 4])
    }

    @Test func `a rendition that is refused ends it behind the frames that it has, and no other one`() {
        let hub = FrameHub(clock: TestClock())
        let feed = subscribe(hub)
        let small = Rendition(StillRendering(quality: 50), integrity: .strict)
        let other = subscribe(hub, small)
        for ordinal in 1...3 as ClosedRange<UInt64> { #expect(offer(ordinal, to: hub) == 2) }
        let problem = Problem(.invalidRequest, "It cannot be.", remedy: "Ask for less.", field: "crop")
        hub.finish(key(2), rendition, .failure(.refused(problem)))
        hub.finish(key(1), rendition, .success(frame(1)))
        hub.finish(key(3), rendition, .success(frame(3)))
        for ordinal in 1...3 as ClosedRange<UInt64> { hub.finish(key(ordinal), small, .success(frame(ordinal))) }
        #expect(taken(feed).keys.sorted() == [1, 3])
        guard case .failed(problem) = feed.step() else {
            Issue.record("not told why")
            return
        }
        #expect(hub.demand(feed.id)?.isOpen == false && hub.snapshot.counters.corrupt == 0)
        // It takes no further one.
        #expect(offer(4, to: hub) == 1)
        hub.finish(key(4), small, .success(frame(4)))
        #expect(taken(other).keys.sorted() == [1, 2, 3, 4])
    }

    @Test func `it outlasts failures and stops, and ends with the session, as does one that comes later`() {
        let hub = FrameHub(clock: TestClock())
        let feed = subscribe(hub)
        let problem = Problem(.deviceLost, "It is gone.", remedy: "Plug it in.")
        hub.fail(problem)
        hub.failAll(problem)
        #expect(hub.demand(feed.id)?.isOpen == true && offer(1, to: hub) == 1)
        hub.finish(key(1), rendition, .success(frame(1)))
        let closing = Problem(.stopping, "It ends.", remedy: "Wait.")
        hub.close(closing)
        #expect(taken(feed).keys.sorted() == [1])
        for feed in [feed, subscribe(hub)] {
            guard case .failed(closing) = feed.step() else {
                Issue.record("not at its end")
                return
            }
        }
    }
}
