// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeImaging
import TintypeModel

@testable import TintypeCapture
@testable import TintypeDevice

struct SettlingDetectorTests {
    private let began = TestClock().now
    private let interval = Duration.milliseconds(33)

    private func key(_ ordinal: Int) -> FrameKey { FrameKey(stream: 1, ordinal: UInt64(ordinal)) }

    private func start(
        expected: FrameStatistics? = nil,
        interval: Duration? = nil,
        earliest: MonotonicTime? = nil
    ) -> SettlingDetector.Start {
        SettlingDetector.Start(
            first: earliest == nil ? key(1) : nil,
            began: began,
            earliest: earliest,
            interval: interval ?? self.interval,
            expected: expected
        )
    }

    /// Statistics of a grey wedge with this light and colour cast.
    private func wedge(_ light: Double, cast: Int = 0) throws -> FrameStatistics {
        var bytes = [UInt8](repeating: 0, count: 320 * 90)
        for pixel in 0..<160 * 90 {
            bytes[2 * pixel] = UInt8(min(255, Double(pixel % 160) * light))
            bytes[2 * pixel + 1] = UInt8(128 + (pixel % 2 == 0 ? cast : -cast))
        }
        return try unsafe FrameStatistics(bytes.span.bytes, layout: .yuyv(FrameSize(width: 160, height: 90)))
    }

    private func look(_ ordinal: Int, _ statistics: FrameStatistics?) -> FrameAnalysis {
        let moment = began + interval * (ordinal - 1)
        var stamp = FrameStamp(ordinal, at: moment)
        stamp.exposureStart = moment - interval
        return FrameAnalysis(stamp: stamp, statistics: statistics)
    }

    /// Ordinal of the frame at which settling is detected, and of the first settled frame.
    private func settle(
        _ start: SettlingDetector.Start,
        _ frames: [FrameStatistics?],
        exposures: [ExposureState?] = []
    ) -> [UInt64]? {
        var tracker = SettlingDetector(start)
        for (index, statistics) in frames.enumerated() {
            let exposure = index < exposures.count ? exposures[index] : nil
            if let from = tracker.add(look(index + 1, statistics), exposure: exposure) {
                return [UInt64(index + 1), from.ordinal]
            }
        }
        return nil
    }

    @Test func `a steady picture settles after five frames`() throws {
        let same = try wedge(1)
        #expect(settle(start(), [same, same, same, same]) == nil)
        #expect(settle(start(), [same, same, same, same, same]) == [5, 1])
    }

    @Test func `changing brightness prevents settling`() throws {
        for change in [0.2, 0.05, 0.008] {
            let rising = try (0..<20).map { try wedge(0.5 + Double($0) * change) }
            #expect(settle(start(), rising) == nil, "\(change)")
        }
        let steps = try (0..<24).map { try wedge(0.5 + Double($0 / 3) * 0.1) }
        #expect(settle(start(), steps) == nil)
        let frames = try (0..<8).map { try wedge(0.2 + Double($0) * 0.1) } + Array(repeating: wedge(1), count: 9)
        #expect(settle(start(), frames) == [13, 9])
    }

    @Test func `a fading colour cast prevents settling`() throws {
        let fading = try (0..<15).map { try wedge(1, cast: 30 - 2 * $0) }
        #expect(settle(start(), fading) == nil)
        #expect(settle(start(), fading + Array(repeating: try wedge(1), count: 6)) == [20, 16])
    }

    @Test func `black frames settle only after three seconds`() throws {
        let black = try wedge(0)
        #expect(black.emptiness.isBlack)
        let dark = Array(repeating: black, count: 90)
        #expect(settle(start(), dark) == nil)
        // At 33 ms a frame, the ninety-second is the first one three seconds after the first.
        #expect(settle(start(), dark + [black, black])?.first == 92)
        let lit = Array(repeating: try wedge(1), count: 5)
        #expect(settle(start(), dark + lit) == [95, 91])
    }

    @Test func `changing exposure values prevent settling`() throws {
        let same = try wedge(1)
        let changing = (0..<12).map { ExposureState(values: [ControlNumber.gain: Int64($0 / 3)]) }
        #expect(settle(start(), Array(repeating: same, count: 12), exposures: changing) == nil)
        #expect(settle(start(), Array(repeating: same, count: 14), exposures: changing + [nil, nil]) == [14, 10])
    }

    @Test func `manual exposure and low frame rates settle sooner`() throws {
        let same = try wedge(1)
        let manual = ExposureState(values: [ControlNumber.autoExposure: 1, ControlNumber.exposureAbsolute: 100])
        #expect(manual.isManual)
        #expect(settle(start(), [same, same], exposures: [manual, manual]) == [2, 1])
        for (id, value) in [
            (ControlNumber.autoExposure, Int64(3)), (ControlNumber.autoGain, 1), (ControlNumber.autoWhiteBalance, 1),
        ] {
            var automatic = manual
            automatic.values[id] = value
            #expect(!automatic.isManual)
            #expect(settle(start(), [same, same], exposures: [automatic, automatic]) == nil)
        }
        #expect(settle(start(interval: .milliseconds(200)), [same, same, same]) == [3, 1])
    }

    @Test func `an expected first frame settles at once`() throws {
        let expected = try wedge(1)
        #expect(settle(start(expected: expected), [try wedge(1.02)]) == [1, 1])
        let darker = try wedge(0.7)
        let tinted = try wedge(1, cast: 10)
        #expect(settle(start(expected: expected), [darker, expected, expected]) == nil)
        #expect(settle(start(expected: expected), [tinted]) == nil)
        #expect(settle(start(expected: try wedge(0)), [try wedge(0)]) == nil)
    }

    @Test func `ignores outdated and unreadable frames`() throws {
        let (old, new) = (try wedge(0.5), try wedge(1))
        let begin = start(earliest: began + interval * 3)
        let frames = Array(repeating: old, count: 4) + Array(repeating: new, count: 5)
        #expect(settle(begin, frames) == [9, 5])
        let same = Array(repeating: Optional(new), count: 4)
        #expect(settle(start(), same + [nil, nil, new]) == [7, 1])
    }
}
