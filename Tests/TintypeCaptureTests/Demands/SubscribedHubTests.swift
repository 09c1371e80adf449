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
}
