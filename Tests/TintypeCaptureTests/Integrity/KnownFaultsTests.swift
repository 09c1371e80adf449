// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

struct KnownFaultsTests {
    private let memory = KnownFaults(clock: TestClock())

    /// Records `count` frames at an interval of `every`.
    private func note(
        _ quirk: PictureQuirk?,
        _ count: Int,
        isFaultless: Bool? = nil,
        depth: JPEGInspection.Depth = .entropy,
        from first: Int,
        every: Duration = .milliseconds(110),
        in other: KnownFaults? = nil
    ) {
        for index in first..<first + count {
            (other ?? memory).record(
                Set([quirk].compactMap(\.self)),
                isFaultless: isFaultless ?? (quirk == nil),
                depth,
                of: FrameKey(stream: 1, ordinal: UInt64(index)),
                at: MonotonicTime(nanoseconds: 5_000_000_000) + every * index
            )
        }
    }

    @Test(arguments: PictureQuirk.allCases)
    func `learns a quirk after 30 frames in two seconds`(_ quirk: PictureQuirk) {
        note(quirk, 29, from: 1)
        #expect(memory.tolerance == nil && !memory.covers(quirk))
        note(quirk, 1, from: 30)
        #expect(memory.tolerance?.map(\.quirk) == [quirk])
        #expect(memory.tolerance?.first?.frames == 30)
        #expect(PictureQuirk.allCases.filter(memory.covers) == [quirk])
        note(quirk, 5, from: 31)
        #expect(memory.tolerance?.first?.frames == 35)
    }

    @Test func `learns no quirk in less than two seconds`() {
        note(.missingEnd, 30, from: 1, every: .milliseconds(68))
        #expect(memory.tolerance == nil)
        note(.missingEnd, 1, from: 31, every: .milliseconds(68))
        #expect(memory.tolerance != nil)
    }

    @Test func `learns no quirk from fewer than 30 frames`() {
        note(.missingEnd, 29, from: 1, every: .seconds(60))
        #expect(memory.tolerance == nil)
    }

    @Test func `learning tolerates one frame in twenty without the quirk`() {
        note(.surplusBytes, 19, from: 1)
        note(nil, 1, from: 20)
        note(.surplusBytes, 10, from: 21)
        #expect(memory.tolerance == nil)
        note(.surplusBytes, 1, from: 31)
        #expect(memory.covers(.surplusBytes))
        let other = KnownFaults(clock: TestClock())
        note(.surplusBytes, 18, from: 1, in: other)
        note(nil, 1, from: 19, in: other)
        note(.surplusBytes, 29, from: 20, in: other)
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
        note(.surplusBytes, 29, from: 1)
        note(nil, 50, depth: .segments, from: 30)
        note(.surplusBytes, 1, from: 80)
        #expect(memory.covers(.surplusBytes))
    }

    @Test func `a frame inspected repeatedly counts once`() {
        for _ in 0..<40 { note(.missingEnd, 29, from: 1) }
        #expect(memory.tolerance == nil)
    }

    @Test func `thirty faultless frames in a row forget a quirk`() {
        note(.missingEnd, 30, from: 1)
        note(nil, 100, isFaultless: false, from: 31)
        note(nil, 29, from: 131)
        #expect(memory.covers(.missingEnd))
        note(.missingEnd, 1, from: 160)
        note(nil, 29, from: 161)
        #expect(memory.covers(.missingEnd))
        note(nil, 1, from: 190)
        #expect(memory.tolerance == nil)
    }

    private let first = CameraIdentity(path: "/dev/video0", card: "A", driver: "uvcvideo", busInfo: "usb-1")

    @Test func `a reset or another device forgets a quirk`() {
        var second = first
        second.card = "B"
        memory.begin(with: first)
        note(.missingEnd, 30, from: 1)
        memory.begin(with: first)
        #expect(memory.covers(.missingEnd))
        memory.begin(with: second)
        #expect(memory.tolerance == nil)
        note(.missingEnd, 30, from: 31)
        #expect(memory.covers(.missingEnd))
        memory.reset()
        #expect(memory.tolerance == nil)
    }

    @Test func `the store keeps a quirk for the same camera at another node`() {
        let store = ToleranceStore()
        let before = KnownFaults(clock: TestClock(), store: store)
        before.begin(with: first)
        note(.surplusBytes, 30, from: 1, in: before)
        var moved = first
        moved.path = "/dev/video7"
        let after = KnownFaults(clock: TestClock(), store: store)
        after.begin(with: moved)
        #expect(after.tolerance == before.tolerance && after.covers(.surplusBytes))
        var other = first
        other.busInfo = "usb-2"
        after.begin(with: other)
        #expect(after.tolerance == nil)
        after.begin(with: first)
        after.reset()
        let last = KnownFaults(clock: TestClock(), store: store)
        last.begin(with: first)
        #expect(last.tolerance == nil)
    }

    @Test func `a camera with a serial number is the same at another port`() {
        let store = ToleranceStore()
        var (camera, twin) = (first, first)
        (camera.serial, twin.serial) = ("1", "2")
        let before = KnownFaults(clock: TestClock(), store: store)
        before.begin(with: camera)
        note(.surplusBytes, 30, from: 1, in: before)
        camera.busInfo = "usb-9"
        for (identity, isKnown) in [(camera, true), (twin, false)] {
            let after = KnownFaults(clock: TestClock(), store: store)
            after.begin(with: identity)
            #expect(after.covers(.surplusBytes) == isKnown)
        }
    }
}
