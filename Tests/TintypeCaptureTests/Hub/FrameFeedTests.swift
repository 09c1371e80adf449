// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing
import TintypeDevice
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

/// Where interruptions of the stream stand among the frames of a feed.
struct FrameFeedTests: NumberedFrames {
    let start = MonotonicTime.now()

    private func gap(at began: Int, _ duration: Int) -> StreamGap {
        StreamGap(began: start + .milliseconds(began), duration: .milliseconds(duration))
    }

    private func take(_ ordinals: UInt64..., into feed: FrameFeed) {
        for ordinal in ordinals { #expect(feed.accept(stamp(ordinal), key: key(ordinal))) }
    }

    private func finish(_ ordinals: UInt64..., of feed: FrameFeed) {
        for ordinal in ordinals { feed.finish(key(ordinal), .success(frame(ordinal))) }
    }

    /// What can be taken out now: the ordinals of frames, and gaps with their begin and length in milliseconds.
    private func steps(_ feed: FrameFeed) async -> [String] {
        var steps: [String] = []
        while let step = await feed.next(until: start) {
            switch step {
            case .frame(let frame, _): steps.append("\(frame.key.ordinal)")
            case .gap(let gap):
                let times = [gap.began - start, gap.duration].map { "\(Int($0.millisecondCount))" }
                steps.append("gap \(times.joined(separator: " "))")
            case .end, .failed: return steps + ["end"]
            }
        }
        return steps
    }

    @Test func `an interruption stands between the frames before it and the frames behind it`() async {
        let feed = FrameFeed(FrameFeed.Plan(allowsGaps: true))
        take(1, 2, into: feed)
        feed.note(gap(at: 10, 100))
        take(3, into: feed)
        finish(1, of: feed)
        // The second has not been encoded yet: nothing overtakes it.
        #expect(await steps(feed) == ["1"])
        finish(2, of: feed)
        // It is told before the frame behind it is there.
        #expect(await steps(feed) == ["2", "gap 10 100"])
        finish(3, of: feed)
        #expect(await steps(feed) == ["3"])
    }

    @Test func `an interruption is told at once where nothing stands before it, and once`() async {
        let feed = FrameFeed(FrameFeed.Plan(allowsGaps: true))
        feed.note(gap(at: 0, 5))
        #expect(await steps(feed) == ["gap 0 5"])
        take(1, into: feed)
        finish(1, of: feed)
        #expect(await steps(feed) == ["1"])
    }

    @Test func `whoever waits is woken by an interruption`() async {
        let feed = FrameFeed(FrameFeed.Plan(allowsGaps: true))
        async let step = feed.next(until: start + .seconds(20) * Waiting.scale)
        #expect(await Waiting.eventually { feed.isAwaited })
        feed.note(gap(at: 0, 5))
        guard case .gap = await step else {
            Issue.record("not told")
            return
        }
    }

    @Test func `interruptions without a picture between them are one`() async {
        let feed = FrameFeed(FrameFeed.Plan(allowsGaps: true))
        take(1, into: feed)
        feed.note(gap(at: 10, 5))
        feed.note(gap(at: 20, 7))
        // A frame between two that turns out damaged is none; what was noted before it is not lost.
        take(2, into: feed)
        feed.note(gap(at: 30, 1))
        take(3, into: feed)
        finish(1, 3, of: feed)
        feed.finish(key(2), .failure(.notJPEG("cut")))
        #expect(await steps(feed) == ["1", "gap 10 21", "3"])
        take(4, into: feed)
        feed.note(gap(at: 40, 1))
        feed.finish(key(4), .failure(.notJPEG("cut")))
        take(5, into: feed)
        feed.note(gap(at: 50, 2))
        finish(5, of: feed)
        #expect(await steps(feed) == ["gap 40 1", "5", "gap 50 2"])
    }

    @Test func `where no frame must be missing no interruption is told, nor once nothing is wanted any more`() async {
        let burst = FrameFeed(FrameFeed.Plan(count: 1))
        #expect(burst.forbidsGaps)
        burst.note(gap(at: 0, 5))
        take(1, into: burst)
        #expect(!burst.forbidsGaps)
        finish(1, of: burst)
        #expect(await steps(burst) == ["1", "end"])
        let stream = FrameFeed(FrameFeed.Plan(count: 1, allowsGaps: true))
        #expect(!stream.forbidsGaps && stream.isOpen)
        take(1, into: stream)
        finish(1, of: stream)
        stream.note(gap(at: 0, 5))
        #expect(await steps(stream) == ["1", "end"])
        let failed = FrameFeed(FrameFeed.Plan(allowsGaps: true))
        failed.fail(Problem(.deviceLost, "It is gone.", remedy: "Plug it in."))
        failed.note(gap(at: 0, 5))
        #expect(await steps(failed) == ["end"])
    }
}

extension FrameFeed {
    /// Whether somebody waits for what comes next.
    fileprivate var isAwaited: Bool { state.withLock { $0.waiter != nil } }
}
