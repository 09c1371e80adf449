// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import tintyped

struct CodeSightsTests {
    private static let start = MonotonicTime(nanoseconds: 60_000_000_000)

    private func code(_ text: String, kind: String = "QR-Code", left: Int = 0) -> PictureCode {
        let place = CropRectangle(size: FrameSize(width: 9, height: 9), left: left, top: 0)
        return PictureCode(kind: kind, text: text, place: place)
    }

    @Test func `a code is seen anew after five seconds without it`() {
        let sights = CodeSights()
        var seen: [String] = []
        // Text of the codes at each time, in tenths of a second.
        let story: [(Int, [String])] = [
            (0, ["a"]), (2, ["a", "b"]), (4, []), (49, ["a"]), (51, ["b"]), (52, ["b"]), (98, ["a"]), (149, ["a"]),
        ]
        for (tenths, texts) in story {
            let moment = Self.start + .milliseconds(tenths * 100)
            seen += sights.add(texts.map { code($0) }, at: moment).map { "\(tenths): \($0.text)" }
        }
        #expect(seen == ["0: a", "2: b", "149: a"])
    }

    @Test func `kind and text make a code, and its place does not`() {
        let sights = CodeSights()
        #expect(sights.add([code("1"), code("1", left: 50), code("1", kind: "EAN-13")], at: Self.start).count == 2)
        #expect(sights.add([code("1", left: 90)], at: Self.start + .seconds(1)).isEmpty)
    }

    @Test func `a code covers the time from its first picture until five seconds after the last`() {
        let sights = CodeSights()
        #expect(!sights.covers(Self.start))
        for second in [0, 1, 2] { _ = sights.add([code("a")], at: Self.start + .seconds(second)) }
        let covered = [-1, 0, 1, 2, 6, 7].filter { sights.covers(Self.start + .seconds($0)) }
        #expect(covered == [0, 1, 2, 6])
    }

    @Test func `at most 64 codes are in sight`() {
        let sights = CodeSights()
        var seen = 0
        for number in 0..<1000 {
            seen += sights.add([code("\(number)")], at: Self.start + .milliseconds(number)).count
        }
        #expect(seen == 64)
        #expect(sights.add([code("new")], at: Self.start + .seconds(6)).count == 1)
    }

    @Test func `the sentence of an event has the start of a long text, and its code all of it`() {
        let text = String(repeating: "x", count: 2000)
        let event = Event.seen(code(text), by: "gate")
        #expect(event.kind == .codeSeen && event.code?.text == text)
        #expect(event.detail.hasSuffix("QR-Code “\(text.prefix(80))…”.") && event.detail.count < 150)
    }
}
