// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

struct QuirkMemoryTests {
    private let memory = QuirkMemory(clock: TestClock())

    /// Records `count` frames at an interval of `every`.
    private func note(
        _ quirk: PictureQuirk?,
        _ count: Int,
        isFaultless: Bool? = nil,
        depth: JPEGInspection.Depth = .entropy,
        from first: Int,
        every: Duration = .milliseconds(110),
        in other: QuirkMemory? = nil
    ) {
        for index in first..<first + count {
            (other ?? memory).record(
                quirk,
                isFaultless: isFaultless ?? (quirk == nil),
                depth,
                of: FrameKey(stream: 1, ordinal: UInt64(index)),
                at: MonotonicTime(nanoseconds: 5_000_000_000) + every * index
            )
        }
    }

    @Test(arguments: PictureQuirk.allCases)
    func `learns a quirk after 20 frames in two seconds`(_ quirk: PictureQuirk) {
        note(quirk, 19, from: 1)
        #expect(memory.tolerance == nil && !memory.covers(quirk))
        note(quirk, 1, from: 20)
        #expect(memory.tolerance?.map(\.quirk) == [quirk])
        #expect(memory.tolerance?.first?.frames == 20)
        #expect(PictureQuirk.allCases.filter(memory.covers) == [quirk])
        note(quirk, 5, from: 21)
        #expect(memory.tolerance?.first?.frames == 25)
    }

    @Test func `learns no quirk in less than two seconds`() {
        note(.missingEnd, 20, from: 1, every: .milliseconds(105))
        #expect(memory.tolerance == nil)
        note(.missingEnd, 1, from: 21, every: .milliseconds(105))
        #expect(memory.tolerance != nil)
    }

    @Test func `learns no quirk from fewer than 20 frames`() {
        note(.missingEnd, 19, from: 1, every: .seconds(60))
        #expect(memory.tolerance == nil)
    }

    @Test func `learning tolerates one frame in twenty without the quirk`() {
        note(.surplusBytes, 19, from: 1)
        note(nil, 1, from: 20)
        #expect(memory.tolerance == nil)
        note(.surplusBytes, 1, from: 21)
        #expect(memory.covers(.surplusBytes))
        let other = QuirkMemory(clock: TestClock())
        note(.surplusBytes, 18, from: 1, in: other)
        note(nil, 1, from: 19, in: other)
        note(.surplusBytes, 19, from: 20, in: other)
        #expect(!other.covers(.surplusBytes))
    }

    @Test func `damage interrupts learning`() {
        note(nil, 200, isFaultless: false, from: 1)
        #expect(memory.tolerance == nil)
        for round in 0..<40 {
            note(.missingEnd, 9, from: 201 + round * 10)
            note(nil, 1, isFaultless: false, from: 210 + round * 10)
        }
        #expect(memory.tolerance == nil)
    }

    @Test func `inspections of segments do not count for data quirks`() {
        note(.surplusBytes, 19, from: 1)
        note(nil, 50, depth: .segments, from: 20)
        note(.surplusBytes, 1, from: 70)
        #expect(memory.covers(.surplusBytes))
    }

    @Test func `a frame inspected repeatedly counts once`() {
        for _ in 0..<30 { note(.missingEnd, 19, from: 1) }
        #expect(memory.tolerance == nil)
    }

    @Test func `twenty faultless frames in a row forget a quirk`() {
        note(.missingEnd, 20, from: 1)
        note(nil, 100, isFaultless: false, from: 21)
        note(nil, 19, from: 121)
        #expect(memory.covers(.missingEnd))
        note(.missingEnd, 1, from: 140)
        note(nil, 19, from: 141)
        #expect(memory.covers(.missingEnd))
        note(nil, 1, from: 160)
        #expect(memory.tolerance == nil)
    }

    @Test func `a reset or another device forgets a quirk`() {
        let first = CameraIdentity(path: "/dev/video0", card: "A", driver: "uvcvideo", busInfo: "usb-1")
        var second = first
        second.card = "B"
        memory.begin(with: first)
        note(.missingEnd, 20, from: 1)
        memory.begin(with: first)
        #expect(memory.covers(.missingEnd))
        memory.begin(with: second)
        #expect(memory.tolerance == nil)
        note(.missingEnd, 20, from: 21)
        #expect(memory.covers(.missingEnd))
        memory.reset()
        #expect(memory.tolerance == nil)
    }
}
