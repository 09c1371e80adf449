// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture
@testable import TintypeFrames

struct SettleStateTests {
    private let now = TestClock().now

    private func key(_ ordinal: UInt64, stream: UInt64 = 1) -> FrameKey { FrameKey(stream: stream, ordinal: ordinal) }

    private func wish(_ settle: SettlePolicy, by limit: Duration = .seconds(5)) -> FrameWish {
        FrameWish(
            fresh: .request,
            rendition: Rendition(StillRendering(), integrity: .strict),
            settle: settle,
            settleBy: now + limit,
            requestedAt: now
        )
    }

    private func begun() -> SettleState {
        var state = SettleState()
        state.begin(stream: 1, until: now + .seconds(3))
        return state
    }

    @Test func `it is not known before frames were looked at, and false until they have settled`() {
        var state = begun()
        #expect(state.isSettled(key(5)) == nil)
        state.record(at: MonotonicTime(nanoseconds: 0), settledFrom: nil, hasSeenChange: false)
        #expect(state.isSettled(key(5)) == false)
        state.record(at: MonotonicTime(nanoseconds: 0), settledFrom: key(4), hasSeenChange: false)
        #expect(state.isSettled(key(5)) == true && state.isSettled(key(4)) == true)
        #expect(state.isSettled(key(3)) == false && state.isSettled(key(9, stream: 2)) == nil)
    }

    @Test func `a picture of the stream before is judged by that stream, and again after changed controls`() {
        var state = begun()
        state.record(at: MonotonicTime(nanoseconds: 0), settledFrom: key(4), hasSeenChange: false)
        state.begin(stream: 1, until: now)
        #expect(state.isSettled(key(5)) == nil)
        state.record(at: MonotonicTime(nanoseconds: 0), settledFrom: key(8), hasSeenChange: false)
        state.begin(stream: 2, until: now)
        #expect(state.isSettled(key(8)) == true && state.isSettled(key(7)) == false)
        #expect(state.isSettled(key(1, stream: 2)) == nil)
        state.begin(stream: 3, until: now)
        #expect(state.isSettled(key(8)) == nil)
    }

    @Test func `auto waits until its own limit or that of the camera, always as long as it takes, never not at all`() {
        let state = begun()
        for (wish, seconds, isEnough) in [
            (wish(.never), 0.0, true), (wish(.auto), 2.9, false), (wish(.auto), 3, true),
            (wish(.auto, by: .seconds(1)), 0.9, false), (wish(.auto, by: .seconds(1)), 1, true),
            (wish(.always), 100, false),
        ] {
            let moment = now + .milliseconds(Int(seconds * 1000))
            #expect(state.isGoodEnough(key(5), for: wish, at: moment) == isEnough, "\(wish.settle) \(seconds)")
            #expect(state.isAwaited(by: wish, at: moment) == !isEnough, "\(wish.settle) \(seconds)")
        }
        var settled = state
        settled.record(at: MonotonicTime(nanoseconds: 0), settledFrom: key(5), hasSeenChange: false)
        #expect(settled.isGoodEnough(key(5), for: wish(.always), at: now))
        #expect(!settled.isGoodEnough(key(4), for: wish(.always), at: now))
        #expect(!settled.isAwaited(by: wish(.always), at: now))
    }

    @Test func `each look is one less that is left, and none is once it is known`() {
        var state = begun()
        state.looksLeft = 3
        state.record(at: MonotonicTime(nanoseconds: 0), settledFrom: nil, hasSeenChange: false)
        #expect(state.looksLeft == 2)
        state.record(at: MonotonicTime(nanoseconds: 0), settledFrom: key(2), hasSeenChange: false)
        #expect(state.looksLeft == 0)
        state.record(at: MonotonicTime(nanoseconds: 0), settledFrom: nil, hasSeenChange: false)
        #expect(state.settledFrom == key(2) && state.looksLeft == 0)
    }
}
