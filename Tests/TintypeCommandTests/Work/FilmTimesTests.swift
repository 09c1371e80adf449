// SPDX-License-Identifier: Apache-2.0
internal import Testing

@testable internal import TintypeModel
@testable internal import tintype

struct FilmTimesTests {
    /// Times of pictures that were captured at `seconds`, and the end of the last, in milliseconds.
    private func times(_ seconds: [Double], _ style: FilmStyle) -> (times: [Double], end: Double) {
        var times = FilmTimes(style)
        let all = seconds.map { second in
            times.add(Timestamp(microseconds: 1_767_225_600_000_000 + Int64(second * 1_000_000)))
            return times.time.millisecondCount
        }
        return (all, times.end.millisecondCount)
    }

    private func style(fps: Double? = nil, speed: Double? = nil, cut: Duration? = nil) -> FilmStyle {
        var style = FilmStyle()
        (style.fps, style.speed, style.cutMs) = (fps, speed, cut.map(Milliseconds.init))
        return style
    }

    @Test(arguments: [
        (25.0, [0.0, 40, 80, 120], 160.0), (30, [0, 33, 67, 100], 133), (0.5, [0, 2000, 4000, 6000], 8000),
    ])
    func `pictures per second give equal steps, to the millisecond`(fps: Double, expected: [Double], end: Double) {
        let result = times([0, 1, 5000, 5001], style(fps: fps))
        #expect(result.times == expected)
        #expect(result.end == end)
    }

    @Test func `25 pictures a second are the default, and no rounding adds up`() {
        #expect(times([0, 1], style()).times == [0, 40])
        let result = times((0..<1000).map { Double($0) }, style(fps: 60))
        #expect(result.times[600] == 10_000 && result.times[999] == 16_650)
    }

    @Test func `a speed keeps gaps, and cut shortens them`() {
        let seconds = [0.0, 60, 120, 3720, 3780]
        #expect(times(seconds, style(speed: 600)).times == [0, 100, 200, 6200, 6300])
        let cut = times(seconds, style(speed: 600, cut: .seconds(1)))
        #expect(cut.times == [0, 100, 200, 1200, 1300])
        #expect(cut.end == 1400)
    }

    @Test func `a picture is at least 1 ms after the one before, and later ones keep their times`() {
        let result = times([0, 0.1, 0.2, 0.3, 0.1, 60], style(speed: 600))
        #expect(result.times == [0, 1, 2, 3, 4, 100])
    }

    @Test func `the last picture lasts as long as the one before, with a speed at most 1 s`() {
        #expect(times([0, 6], style(speed: 10)).end == 1200)
        #expect(times([0, 3600], style(speed: 1)).end == 3_601_000)
        #expect(times([0], style(speed: 600)).end == 40)
        #expect(times([0], style(fps: 10)).end == 100)
        #expect(times([0, 1], style(fps: 0.1)).end == 20_000)
    }

    @Test(arguments: [
        ("1281x721", "1280x720"), ("3840x2160", "3840x2160"), ("1x1", "2x2"), ("8000x6000", "3324x2494"),
        ("5120x3840", "3324x2494"), ("2000x8000", "1440x5760"),
    ])
    func `a film has even sides, and at most the pixels of 4K`(picture: String, film: String) throws {
        #expect(try #require(FrameSize(picture)).encoded.description == film)
    }

    @Test func `a recording is read in parts of any size`() throws {
        var bytes = SMJPEG.header(FrameSize(width: 4, height: 2))
        for (time, size) in [(0, 5), (33, 0), (67, 300)] {
            bytes += SMJPEG.frameHeader(at: .milliseconds(time), bytes: size) + [UInt8](repeating: 7, count: size)
        }
        for size in [1, 7, 13, bytes.count] {
            var reader = RecordingReader()
            for start in stride(from: 0, to: bytes.count, by: size) {
                try reader.read(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(reader.pictures == 3)
            #expect(reader.end == .milliseconds(101))
        }
        var reader = RecordingReader()
        let cut = bytes.prefix(SMJPEG.headerLength) + bytes.dropFirst(SMJPEG.headerLength + 1)
        #expect(throws: RecordingReader.damage) { try reader.read(Array(cut)) }
    }
}
