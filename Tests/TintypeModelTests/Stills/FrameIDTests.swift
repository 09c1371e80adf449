// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

struct FrameIDTests {
    @Test func `an id is a version 7 UUID that starts with the time`() throws {
        let time = Timestamp(microseconds: 1_795_271_412_345_678)
        for _ in 0..<100 {
            let text = FrameID(at: time).description
            #expect(text.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
            let digits = text.filter { $0 != "-" }
            #expect(Int64(digits.prefix(12), radix: 16) == time.microseconds / 1000)
            #expect(FrameID(text)?.description == text)
            #expect(FrameID(text)?.millisecond == time.microseconds / 1000)
            #expect(FrameID(text.uppercased()) == FrameID(text))
        }
    }

    @Test func `ids sort by their millisecond`() {
        let ids = (0..<1000).map { FrameID(at: Timestamp(microseconds: 1_795_271_412_000_000 + $0 * 1000)) }
        #expect(ids.sorted() == ids)
        #expect(ids.map(\.description).sorted() == ids.map(\.description))
    }

    @Test func `ten thousand ids of one timestamp are unique`() {
        let time = Timestamp.now()
        #expect(Set((0..<10_000).map { _ in FrameID(at: time) }).count == 10_000)
    }

    @Test(arguments: [
        "", "0191e0a0", "0191e0a0-0000-7000-8000-00000000000", "0191e0a0-0000-7000-8000-0000000000000",
        "0191e0a0000070008000000000000000", "g191e0a0-0000-7000-8000-000000000000",
        "0191e0a0-0000-7000-8000-000000000000 ", "../etc/passwd",
    ])
    func `rejects an invalid id`(_ text: String) { #expect(FrameID(text) == nil) }

    @Test func `a time before 1970 yields an id of millisecond 0`() {
        #expect(FrameID(at: Timestamp(microseconds: -5)).description.hasPrefix("00000000-0000-7"))
    }

    @Test func `an id converts to exactly 16 bytes and back`() throws {
        let id = try #require(FrameID("0189f7e5-8d2a-7abc-8def-0123456789ab"))
        #expect(id.bytes.first == 0x01 && id.bytes.last == 0xAB && id.bytes.count == 16)
        #expect(FrameID(bytes: id.bytes) == id)
        #expect(FrameID(bytes: id.bytes.dropLast()) == nil && FrameID(bytes: id.bytes + [0]) == nil)
    }

    @Test func `an id lies between the first ids of its millisecond and the next`() {
        let time = Timestamp(microseconds: 1_795_271_412_345_678)
        let id = FrameID(at: time)
        #expect(FrameID(firstOf: id.millisecond) < id && id < FrameID(firstOf: id.millisecond + 1))
        #expect(FrameID(firstOf: -5) == FrameID(firstOf: 0))
        #expect(FrameID(firstOf: 0) < FrameID(at: Timestamp(microseconds: -5)))
        let last = FrameID(at: Timestamp(microseconds: (1 << 48 - 1) * 1000))
        #expect(last < FrameID(firstOf: 1 << 48) && FrameID(firstOf: 1 << 48) == FrameID(firstOf: .max))
    }

    @Test func `next increments an id up to the largest one`() throws {
        for (text, next) in [
            ("0189f7e5-8d2a-7abc-8def-0123456789ab", "0189f7e5-8d2a-7abc-8def-0123456789ac"),
            ("0189f7e5-8d2a-7abc-ffff-ffffffffffff", "0189f7e5-8d2a-7abd-0000-000000000000"),
            ("ffffffff-ffff-ffff-ffff-ffffffffffff", "ffffffff-ffff-ffff-ffff-ffffffffffff"),
        ] { #expect(try #require(FrameID(text)).next == FrameID(next)) }
    }
}
