// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

struct SettleHistoryTests {
    private func level(_ luma: UInt8 = 90) throws -> FrameStatistics {
        let layout = PictureLayout(
            pixelFormat: .grey,
            size: FrameSize(width: 8, height: 8),
            bytesPerRow: 8,
            color: .jfif
        )
        let bytes = [UInt8](repeating: luma, count: 64)
        return try unsafe FrameStatistics(bytes.span.bytes, layout: layout)
    }

    @Test func `nothing is told before anything was measured, and medians and the worst after`() throws {
        var history = SettleHistory()
        #expect(history.summary == nil)
        for (frames, milliseconds) in [(9, 300), (5, 130), (30, 1000)] {
            history.add(frames: frames, time: .milliseconds(milliseconds), isAtOnce: false, level: try level())
        }
        let expected = CameraLatency.Settling(
            count: 3,
            medianMs: Milliseconds(.milliseconds(300)),
            worstMs: Milliseconds(.milliseconds(1000)),
            medianFrames: 9,
            worstFrames: 30
        )
        #expect(history.summary == expected)
    }

    @Test func `the oldest measurement makes room for the newest`() throws {
        var history = SettleHistory()
        history.add(frames: 100, time: .seconds(9), isAtOnce: false, level: try level())
        for _ in 0..<SettleHistory.length {
            history.add(frames: 5, time: .milliseconds(100), isAtOnce: false, level: try level())
        }
        #expect(history.summary?.count == SettleHistory.length && history.summary?.worstFrames == 5)
    }

    @Test func `a first frame is expected to be settled after three such starts in a row`() throws {
        var history = SettleHistory()
        for _ in 0..<2 { history.add(frames: 5, time: .zero, isAtOnce: true, level: try level()) }
        #expect(history.expected == nil)
        history.add(frames: 5, time: .zero, isAtOnce: true, level: try level())
        #expect(history.expected?.meanLuma == 90)
        // One frame alone does not move what is expected.
        history.add(frames: 1, time: .zero, isAtOnce: true, level: try level(97))
        #expect(history.expected?.meanLuma == 90)
        history.add(frames: 5, time: .zero, isAtOnce: true, level: try level(140))
        #expect(history.expected?.meanLuma == 140)
        history.add(frames: 12, time: .zero, isAtOnce: false, level: try level())
        #expect(history.expected == nil)
    }

    @Test func `it is waited for twice as long as it took at worst, from one second to three`() throws {
        let interval = Duration.milliseconds(20)
        for (worst, limit) in [
            (Duration.milliseconds(100), Duration.seconds(1)), (.milliseconds(800), .milliseconds(1600)),
            (.seconds(2), .seconds(3)),
        ] {
            var history = SettleHistory()
            for _ in 0..<2 { history.add(frames: 9, time: worst, isAtOnce: false, level: try level()) }
            #expect(history.limit(interval: interval) == .seconds(3))
            history.add(frames: 9, time: worst, isAtOnce: false, level: try level())
            #expect(history.limit(interval: interval) == limit)
            // Of a slow camera, as long as the frames take that are needed.
            #expect(history.limit(interval: .seconds(1)) == .seconds(6))
        }
    }
}
