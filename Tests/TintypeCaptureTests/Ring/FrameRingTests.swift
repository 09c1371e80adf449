// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel
import TintypeSystem

@testable import TintypeCapture
@testable import TintypeDevice

struct FrameRingTests {
    private let start = TestClock().now - .seconds(60)
    private let ring = Self.ring()
    private static let size = FrameSize(width: 8, height: 8)

    private static func key(_ ordinal: Int) -> FrameKey { FrameKey(stream: 1, ordinal: UInt64(ordinal)) }

    /// `count` bytes that differ between frames.
    private static func bytes(_ ordinal: Int, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ ordinal &* 7) }
    }

    private static func keep(
        _ ordinal: Int,
        at moment: MonotonicTime,
        count: Int = 100,
        isDated: Bool = true,
        in ring: FrameRing
    ) {
        let bytes = bytes(ordinal, count: count)
        var stamp = FrameStamp(ordinal, at: moment)
        if !isDated { (stamp.source, stamp.uncertainty) = (.dequeue, .milliseconds(20)) }
        unsafe ring.keep(bytes.span.bytes, stamp, layout: .jpeg(size), slept: .zero)
    }

    private static func ring(seconds: Int = 3600, megabytes: Int = 1, clock: TestClock = TestClock()) -> FrameRing {
        FrameRing(RingConfiguration(seconds: seconds, megabytes: megabytes, quality: 80), clock: clock)
    }

    private static func reader(
        _ ring: FrameRing,
        from moment: MonotonicTime,
        to end: MonotonicTime? = nil,
        nth: Int = 1
    ) -> FrameRing.Reader? {
        ring.reader(from: moment, to: end, nth: nth)
    }

    /// All frames that a reader from `moment` on finds without waiting, with the number missing before each.
    private static func all(
        _ ring: FrameRing,
        from moment: MonotonicTime,
        to end: MonotonicTime? = nil,
        nth: Int = 1
    ) -> [(ordinal: Int, lost: Int, bytes: [UInt8])] {
        guard var reader = reader(ring, from: moment, to: end, nth: nth) else { return [] }
        defer { ring.close(reader) }
        var list: [(Int, Int, [UInt8])] = []
        while case .picture(let picture, let lost) = ring.next(&reader) {
            list.append((Int(picture.stamp.key.ordinal), lost, picture.bytes))
        }
        return list
    }

    @Test func `frames of any size are kept intact within the memory limit`() {
        var generator = SeededGenerator(seed: 3000)
        var counts: [Int: Int] = [:]
        for ordinal in 1...3000 {
            let count = Int.random(in: 1...(ordinal % 50 == 0 ? 500_000 : 20_000), using: &generator)
            counts[ordinal] = count
            Self.keep(ordinal, at: start + .milliseconds(ordinal), count: count, in: ring)
            #expect(ring.status.bytes <= 1 << 20)
            guard ordinal % 300 == 0 else { continue }
            let oldest = ordinal - ring.status.frames + 1
            let list = Self.all(ring, from: start + .milliseconds(oldest))
            #expect(list.map(\.ordinal) == Array(oldest...ordinal))
            for frame in list {
                #expect(frame.bytes == Self.bytes(frame.ordinal, count: counts[frame.ordinal] ?? 0))
            }
        }
        #expect(ring.status.dropped == 0)
    }

    /// Frames at these milliseconds; the fourth and the seventh have no timestamp of their own, and are dated too late.
    private func keepJumping() {
        for (index, milliseconds) in [10, 20, 30, 70, 45, 55, 110, 95, 105].enumerated() {
            let isDated = ![3, 6].contains(index)
            Self.keep(index + 1, at: start + .milliseconds(milliseconds), isDated: isDated, in: ring)
        }
    }

    @Test func `finds each frame by its time although some are dated too late`() {
        keepJumping()
        #expect(ring.status.dropped == 0 && ring.status.frames == 9)
        for (moment, ordinal) in [(29, 2), (44, 3), (46, 5), (60, 6), (94, 6), (96, 8), (200, 9)] {
            let reading = ring.read(before: start + .milliseconds(moment), after: nil, waits: false)
            guard case .picture(let picture, _) = reading else {
                Issue.record("there is no frame at \(moment) ms")
                continue
            }
            #expect(picture.stamp.key == Self.key(ordinal), "\(moment) ms")
        }
    }

    @Test func `reads every frame of a span although some are dated too late`() {
        keepJumping()
        func ordinals(_ from: Int, _ to: Int) -> [Int] {
            Self.all(ring, from: start + .milliseconds(from), to: start + .milliseconds(to)).map(\.ordinal)
        }
        #expect(ordinals(10, 110) == Array(1...9))
        // The fourth frame is dated after the end, and does not end the reading.
        #expect(ordinals(10, 60) == [1, 2, 3, 5, 6])
        #expect(ordinals(60, 100) == [4, 8])
    }

    @Test func `a frame that is dated too late does not shorten the reach of the ring`() {
        // Times in the future, so that only later frames make frames too old.
        let (ring, start) = (Self.ring(seconds: 1), TestClock().now)
        for (ordinal, moment) in [(1, 0), (2, 500), (3, 100), (4, 1700), (5, 2800)] {
            Self.keep(ordinal, at: start + .milliseconds(moment), in: ring)
        }
        // The first three are gone, so nothing before the second one is complete.
        #expect(Self.reader(ring, from: start + .milliseconds(400)) == nil)
        #expect(Self.reader(ring, from: start + .milliseconds(501)) != nil)
    }

    @Test func `a frame larger than the ring is dropped`() {
        Self.keep(1, at: start, in: ring)
        Self.keep(2, at: start + .milliseconds(1), count: 1 << 20, in: ring)
        Self.keep(3, at: start + .milliseconds(2), in: ring)
        #expect(ring.status.dropped == 1 && ring.status.frames == 2)
        #expect(Self.all(ring, from: start).map(\.lost) == [0, 1])
    }

    @Test func `the ring spans the configured time`() {
        let ring = Self.ring(seconds: 1)
        for ordinal in 1...60 { Self.keep(ordinal, at: start + .milliseconds(100 * ordinal), in: ring) }
        // The frame exposed a second ago is kept, the one before it is not.
        #expect(ring.status.frames == 11)
        #expect(ring.status.spanMs.duration == .seconds(1))
    }

    @Test func `the ring is full once a frame was evicted`() {
        for (ring, count) in [(Self.ring(seconds: 1), 100), (Self.ring(), 60_000)] {
            func keep(_ ordinals: ClosedRange<Int>) {
                for ordinal in ordinals {
                    Self.keep(ordinal, at: start + .milliseconds(100 * ordinal), count: count, in: ring)
                }
            }
            for round in 0..<2 {
                keep(29 * round + 1...29 * round + 9)
                #expect(!ring.isFull)
                keep(29 * round + 10...29 * round + 29)
                #expect(ring.isFull)
                ring.clear()
            }
        }
    }

    @Test func `a reader protects unread frames from age, not from the memory limit`() throws {
        // Times in the future, so that only later frames make frames too old.
        let start = TestClock().now
        let ring = Self.ring(seconds: 1)
        for ordinal in 1...10 { Self.keep(ordinal, at: start + .milliseconds(100 * ordinal), in: ring) }
        var reader = try #require(Self.reader(ring, from: start + .milliseconds(300)))
        for ordinal in 11...100 { Self.keep(ordinal, at: start + .milliseconds(100 * ordinal), in: ring) }
        guard case .picture(let first, 0) = ring.next(&reader) else {
            Issue.record("the first frame is gone")
            return
        }
        #expect(first.stamp.key == Self.key(3))
        for ordinal in 101...140 {
            Self.keep(ordinal, at: start + .milliseconds(100 * ordinal), count: 100_000, in: ring)
        }
        guard case .picture(let second, let lost) = ring.next(&reader) else {
            Issue.record("there is no second frame")
            return
        }
        #expect(lost > 0 && second.stamp.key == Self.key(4 + lost))
        ring.close(reader)
        Self.keep(141, at: start + .milliseconds(14_100), in: ring)
        #expect(ring.status.frames <= 11)
    }

    @Test func `reading every nth frame reports missing ones`() {
        for ordinal in 1...20 {
            // The seventh frame does not fit.
            Self.keep(ordinal, at: start + .milliseconds(ordinal), count: ordinal == 7 ? 1 << 20 : 10, in: ring)
        }
        let list = Self.all(ring, from: start + .milliseconds(1), to: start + .milliseconds(18), nth: 3)
        #expect(list.map(\.ordinal) == [1, 4, 10, 13, 16])
        #expect(list.map(\.lost) == [0, 0, 1, 0, 0])
    }

    @Test func `a reader that may start later starts with the oldest frame, or with the next one`() throws {
        func reader(from milliseconds: Int) throws -> FrameRing.Reader {
            let moment = start + .milliseconds(milliseconds)
            return try #require(ring.reader(from: moment, mayStartLater: true))
        }
        func ordinal(_ reader: inout FrameRing.Reader) -> UInt64? {
            if case .picture(let picture, lost: 0) = ring.next(&reader) { picture.stamp.key.ordinal } else { nil }
        }
        var empty = try reader(from: 0)
        #expect(ordinal(&empty) == nil)
        for ordinal in 1...2 { Self.keep(ordinal, at: start + .milliseconds(ordinal), in: ring) }
        var (early, late) = (try reader(from: -1000), try reader(from: 3))
        #expect(ordinal(&empty) == 1 && ordinal(&early) == 1 && ordinal(&late) == nil)
        Self.keep(3, at: start + .milliseconds(3), in: ring)
        #expect(ordinal(&empty) == 2 && ordinal(&early) == 2 && ordinal(&late) == 3)
    }

    @Test func `a reader ends once a later frame exists`() throws {
        for ordinal in 1...5 { Self.keep(ordinal, at: start + .milliseconds(ordinal), in: ring) }
        let end = start + .milliseconds(4)
        var reader = try #require(Self.reader(ring, from: start + .milliseconds(1), to: end, nth: 1000))
        if case .picture = ring.next(&reader) {} else { Issue.record("the first frame is not there") }
        if case .end(lost: 0) = ring.next(&reader) {} else { Issue.record("it does not end") }
        ring.close(reader)
    }

    @Test func `frames encoded concurrently are kept in order`() {
        func image(_ encodeTime: Duration) -> EncodedImage {
            var image = EncodedImage(
                of: Frame([], Self.size),
                by: TestClock(),
                jpeg: [1, 2, 3],
                size: Self.size,
                verdict: .intact
            )
            image.encodeTime = encodeTime
            return image
        }
        let taken = (1...4).map { ordinal in
            ring.reserve(FrameStamp(ordinal, at: start + .milliseconds(ordinal)), slept: .zero)
        }
        #expect(taken == [true, true, false, false])
        #expect(ring.status.dropped == 2)
        ring.complete(Self.key(2), image(.milliseconds(3)))
        #expect(ring.status.frames == 0)
        ring.complete(Self.key(1), image(.milliseconds(7)))
        #expect(ring.status.frames == 2)
        #expect(ring.reserve(FrameStamp(5, at: start + .milliseconds(5)), slept: .zero))
        ring.complete(Self.key(5), nil)
        #expect(ring.status.frames == 2 && ring.status.dropped == 3)
        #expect(ring.status.encoded == 2 && ring.status.encodingMs.duration == .milliseconds(10))
        #expect(Self.all(ring, from: start + .milliseconds(1)).map(\.ordinal) == [1, 2])
    }

    @Test func `finds the frame exposed last before a moment`() {
        let hasSlept = OnceFlag()
        let ring = Self.ring(clock: TestClock { hasSlept.isRaised ? .seconds(1) : .zero })
        func look(_ milliseconds: Int) -> FrameRing.Reading {
            ring.read(before: start + .milliseconds(milliseconds), after: nil, waits: false)
        }
        if case .short(nil) = look(0) {} else { Issue.record("an empty ring has a frame") }
        for ordinal in 1...9 { Self.keep(ordinal, at: start + .milliseconds(10 * ordinal), in: ring) }
        for (moment, ordinal) in [(10, 1), (19, 1), (20, 2), (55, 5), (89, 8), (90, 9), (500, 9)] {
            guard case .picture(let picture, _) = look(moment) else {
                Issue.record("there is no frame at \(moment) ms")
                continue
            }
            #expect(picture.stamp.key == Self.key(ordinal))
        }
        if case .short(.some(let reach)) = look(9) { #expect(reach > .zero) } else { Issue.record("it has no begin") }
        // The clock stopped during a suspend: the age of the frames is unknown.
        hasSlept.raise()
        if case .short(nil) = look(55) {} else { Issue.record("pictures from before a suspend") }
    }

    @Test func `ring memory is bounded and freed by clear`() async {
        await #expect(processExitsWith: .success) {
            let start = TestClock().now
            let ring = FrameRingTests.ring(megabytes: 16)
            let picture = [UInt8](repeating: 7, count: 100_000)
            let before = try ProcessMemory.written
            for ordinal in 1...2000 {
                let stamp = FrameStamp(ordinal, at: start + .milliseconds(ordinal))
                unsafe ring.keep(picture.span.bytes, stamp, layout: .jpeg(FrameRingTests.size), slept: .zero)
            }
            let full = try ProcessMemory.written - before
            #expect(full <= 17 << 10 && full >= 14 << 10, "\(full) kB")
            ring.clear()
            let left = try ProcessMemory.written - before
            #expect(left <= 1 << 10, "\(left) kB")
        }
    }
}
