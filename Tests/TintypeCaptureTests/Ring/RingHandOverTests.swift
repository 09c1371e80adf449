// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing
import TintypeDevice
import TintypeModel

@testable import TintypeCapture
@testable import TintypeFrames

/// The pictures of a ring in the daemon that is started in place of another.
struct RingHandOverTests {
    private let start = TestClock().now - .seconds(60)

    private func ring(megabytes: Int = 1, handsOver: Bool = true) -> FrameRing {
        let configuration = RingConfiguration(seconds: 3600, megabytes: megabytes, quality: 80, handsOver: handsOver)
        return FrameRing(configuration, clock: TestClock())
    }

    /// A picture that can be told from every other.
    private func bytes(_ number: Int) -> [UInt8] {
        [0xFF, 0xD8] + (0..<(1000 + number * 7)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number &* 7) }
    }

    private func stamp(_ number: Int) -> FrameStamp {
        FrameStamp(
            sequence: UInt32(number + 100),
            ordinal: UInt64(number),
            exposureStart: start + .milliseconds(number),
            uncertainty: .microseconds(number),
            lead: number.isMultiple(of: 2) ? .milliseconds(number) : nil,
            source: number.isMultiple(of: 3) ? .arrival : .endOfFrame,
            dequeued: start + .milliseconds(number + 1),
            faults: number == 5 ? .flagged : []
        )
    }

    private func keep(_ numbers: ClosedRange<Int>, in ring: FrameRing, stream: UInt64 = 3) {
        for number in numbers {
            let bytes = bytes(number)
            unsafe ring.keep(
                bytes.span.bytes,
                stamp(number),
                key: FrameKey(stream: stream, ordinal: UInt64(number)),
                layout: .jpeg(FrameSize(width: number, height: 8)),
                slept: .seconds(2)
            )
        }
    }

    /// What the service manager keeps of a ring; -1 for nothing.
    private func file(of ring: FrameRing) -> CInt {
        var kept: CInt = -1
        ring.handOver(of: 7) { kept = dup($0) }
        return kept
    }

    private func past(of ring: FrameRing) -> RingPast { RingPast(file: file(of: ring), camera: 7) }

    /// The pictures from the newest back, as the ring gives them one by one.
    private func pictures(_ ring: FrameRing, _ numbers: ClosedRange<Int>) -> [RingPicture] {
        numbers.compactMap { number in
            guard
                case .picture(let picture, _) = ring.read(
                    before: start + .milliseconds(number),
                    after: nil,
                    slept: .seconds(2),
                    waits: false
                )
            else { return nil }
            return picture
        }
    }

    @Test func `the next ring has the same pictures with the same times, as of before its first stream`() throws {
        var next = ring()
        do {
            let ring = ring()
            keep(1...40, in: ring)
            try next.takeOver(past(of: ring))
            // The one before takes no more, so that it does not write over what has another owner.
            keep(41...2000, in: ring)
            #expect(ring.status.frames == 40)
        }
        let pictures = pictures(next, 1...40)
        #expect(pictures.map(\.bytes) == (1...40).map(bytes))
        for (index, picture) in pictures.enumerated() {
            #expect(
                picture.stamp == stamp(index + 1) && picture.layout == .jpeg(FrameSize(width: index + 1, height: 8))
            )
            #expect(picture.key == FrameKey(stream: 0, ordinal: UInt64(index + 1)))
        }
        // Nothing is known of the time in between: a burst from before it would have a hole that nobody counts.
        #expect(
            next.reader(from: start + .milliseconds(10), includesBefore: false, to: nil, nth: 1, slept: .seconds(2))
                == nil
        )
        keep(50...60, in: next, stream: 1)
        #expect(
            next.reader(from: start + .milliseconds(10), includesBefore: false, to: nil, nth: 1, slept: .seconds(2))
                == nil
        )
        #expect(
            next.reader(from: start + .milliseconds(51), includesBefore: false, to: nil, nth: 1, slept: .seconds(2))
                != nil
        )
        // Nor where the first of them has given way.
        var number = 61
        while !self.pictures(next, 1...1).isEmpty {
            keep(number...number, in: next, stream: 1)
            number += 1
        }
        #expect(!self.pictures(next, 40...40).isEmpty)
        #expect(
            next.reader(from: start + .milliseconds(10), includesBefore: false, to: nil, nth: 1, slept: .seconds(2))
                == nil
        )
        // It goes on as a ring, and can be handed over again.
        keep(number...900, in: next, stream: 1)
        #expect(next.status.bytes <= 1 << 20)
        let last = ring()
        try last.takeOver(past(of: next))
        #expect(self.pictures(last, 880...900).map(\.bytes) == (880...900).map(bytes))
        next = ring()
    }

    @Test func `nothing is handed over of a ring that is empty, or is not to outlast the daemon`() {
        #expect(file(of: ring()) == -1)
        let own = ring(handsOver: false)
        keep(1...3, in: own)
        #expect(file(of: own) == -1)
        keep(4...5, in: own)
        #expect(own.status.frames == 5)
    }

    @Test func `pictures from before a suspend are not believed`() throws {
        let (before, next) = (ring(), ring())
        keep(1...3, in: before)
        try next.takeOver(past(of: before))
        guard case .short = next.read(before: start + .seconds(1), after: nil, slept: .seconds(60), waits: false) else {
            Issue.record("a picture from before the suspend")
            return
        }
    }

    /// Ways in which what was kept cannot be read.
    private enum Damage: String, CaseIterable {
        case otherSize, otherFormat, otherCamera, suspended, noTable, halfFrame, outside, noPicture, disorder, short,
            noFile
    }

    @Test(arguments: Damage.allCases) private func `what cannot be read is a reason, and the ring begins empty`(
        _ damage: Damage
    ) {
        let before = ring()
        keep(1...3, in: before)
        var file = file(of: before)
        let table = off_t(1 << 20)
        func set(_ word: Int64, at index: off_t) {
            var word = word
            _ = unsafe pwrite(file, &word, 8, table + index * 8)
        }
        switch damage {
        case .otherSize: break
        case .otherFormat: set(1, at: 0)
        case .otherCamera: set(8, at: 2)
        case .suspended: set(-60_000_000_000, at: 3)
        case .noTable: ftruncate(file, table)
        case .halfFrame: ftruncate(file, table + 8 * (4 + 12 + 6))
        case .outside: set(Int64(table) + 1, at: 5)
        case .noPicture: set(1, at: 4)
        case .disorder: set(.max, at: 4 + 3)
        case .short: ftruncate(file, table / 2)
        case .noFile:
            close(file)
            file = unsafe open("/dev/null", O_RDWR)
        }
        let next = ring(megabytes: damage == .otherSize ? 2 : 1)
        #expect(throws: FrameRing.HandOverFault.self) { try next.takeOver(RingPast(file: file, camera: 7)) }
        #expect(next.status.frames == 0)
        keep(4...6, in: next)
        #expect(next.status.frames == 3)
    }
}
