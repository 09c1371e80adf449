// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TintypeModel

struct FrameQueryTests {
    private static let id = FrameID(at: Timestamp(microseconds: 1_795_271_412_345_678))
    private let full = FrameQuery(
        filter: .any([.is(.tag("alarm")), .not(.is(.camera("yard")))]),
        order: .oldest,
        limit: 7,
        cursor: FrameCursor(.oldest, after: Self.id)
    )

    @Test func `parses parameters in any order`() throws {
        #expect(try FrameQuery(query: []) == FrameQuery())
        let cursor = FrameCursor(.oldest, after: Self.id).description
        let query: [(name: String, value: String)] = [
            ("where", "any(tag:alarm, not camera:yard)"), ("order", "oldest"), ("limit", "7"), ("cursor", cursor),
        ]
        #expect(try FrameQuery(query: query) == full)
        #expect(try FrameQuery(query: query.reversed()) == full)
    }

    @Test func `a query round-trips through JSON`() throws {
        #expect(try WireFormat.decode(FrameQuery.self, from: WireFormat.encode(full)) == full)
        #expect(try WireFormat.decode(FrameQuery.self, from: "{}".utf8) == FrameQuery())
    }

    @Test func `a filter that is not text is refused with a remedy`() {
        let problem = #expect(throws: Problem.self) {
            try WireFormat.decode(FrameQuery.self, from: #"{"where": {"camera": "yard"}}"#.utf8)
        }
        #expect(problem?.detail == "The field where is not the text of a filter.")
        let remedy =
            #"Give a text such as "camera:yard, not pinned". A filter in JSON is of an older tintype: use this version's."#
        #expect(problem?.remedy == remedy)
    }

    @Test func `a cursor round-trips as an alphanumeric word`() throws {
        for order in FrameOrder.allCases {
            let cursor = FrameCursor(order, after: Self.id)
            #expect(FrameCursor(cursor.description) == cursor)
            #expect(cursor.description.allSatisfy { $0.isLetter || $0.isNumber })
        }
        let word = FrameCursor(.newest, after: Self.id).description
        for wrong in ["", "n", String(word.dropLast()), word + "0", "x" + word.dropFirst(), word.uppercased(), "n-"] {
            #expect(FrameCursor(wrong) == nil)
        }
    }

    @Test(arguments: [
        ("where", "camera:"), ("where", "colour:red"), ("order", "random"), ("limit", "0"), ("limit", "1001"),
        ("limit", "many"), ("limit", "1.5"), ("cursor", "17"), ("cursor", FrameCursor(.oldest, after: id).description),
        ("page", "2"), ("Where", "lost"),
    ])
    func `a wrong parameter is named`(_ name: String, _ value: String) {
        expectInvalid(name) { try FrameQuery(query: [(name, value)]) }
    }

    @Test func `a list after a number has no order and no cursor`() throws {
        let query = FrameQuery(limit: 7, after: 1_795_271_412_345_678, spool: "attic")
        let parameters: [(name: String, value: String)] = [
            ("after", "1795271412345678"), ("limit", "7"), ("spool", "attic"),
        ]
        #expect(try FrameQuery(query: parameters) == query)
        #expect(try WireFormat.decode(FrameQuery.self, from: WireFormat.encode(query)) == query)
        let cursor = FrameCursor(.newest, after: Self.id).description
        for (name, value) in [("order", "oldest"), ("cursor", cursor)] {
            expectInvalid("after") { try FrameQuery(query: parameters + [(name, value)]) }
        }
        for wrong in ["-1", "1.5", "x", ""] { expectInvalid("after") { try FrameQuery(query: [("after", wrong)]) } }
    }

    @Test func `times of a count are read as RFC 3339 or milliseconds, without parts of a millisecond`() throws {
        let query = try FrameSpanQuery(query: [
            ("times", "0,1970-01-01T00:00:01.0019Z,1970-01-01T01:00:02+01:00,1970-01-02"), ("where", "camera:yard"),
        ])
        #expect(query.times == [0, 1_001_000, 2_000_000, 86_400_000_000].map { Timestamp(microseconds: $0) })
        #expect(query.filter == .is(.camera("yard")) && query.spans.count == 3)
        #expect(query.spans[0] == query.times[0]..<query.times[1])
    }

    @Test(arguments: ["", "0", "0,0", "2,1", "0,,1", "0,soon", "-1,0", "0,281474976710656", "1.5,2"])
    func `wrong times of a count are refused`(_ times: String) {
        expectInvalid("times") { try FrameSpanQuery(query: [("times", times)]) }
    }

    @Test func `a count has at most 400 times, and needs them`() throws {
        func texts(_ count: Int) -> String { (0..<count).map { "\($0)" }.joined(separator: ",") }
        #expect(try FrameSpanQuery(query: [("times", texts(400))]).spans.count == 399)
        expectInvalid("times") { try FrameSpanQuery(query: [("times", texts(401))]) }
        expectInvalid("times") { try FrameSpanQuery(query: []) }
        expectInvalid("where") { try FrameSpanQuery(query: [("where", "x:"), ("times", "0,1")]) }
        expectInvalid("limit") { try FrameSpanQuery(query: [("limit", "1"), ("times", "0,1")]) }
    }

    @Test func `a repeated parameter is named`() {
        let twice = expectInvalid("limit") { try FrameQuery(query: [("limit", "1"), ("limit", "1")]) }
        #expect(twice?.detail.contains("more than once") == true)
    }

    @Test func `a page round-trips with its records as flat objects`() throws {
        let record = FrameRecord(
            still: StillRecord(
                id: Self.id,
                camera: "door",
                path: "/spool/door/1.jpg",
                stored: .durable,
                bytes: 5,
                width: 2,
                height: 1,
                sequence: 3,
                capturedAt: Timestamp(microseconds: 1_795_271_412_345_678),
                timestampSource: .dequeue,
                tags: ["a"]
            ),
            storedAt: Timestamp(microseconds: 1_795_271_412_345_999),
            pinned: true,
            lost: true,
            source: .reconcile,
            spool: "attic",
            number: 7
        )
        let page = FramePage(frames: [record], next: FrameCursor(.newest, after: Self.id), unavailable: ["usb"])
        let json = try WireFormat.encode(page)
        #expect(try WireFormat.decode(FramePage.self, from: json) == page)
        let text = String(decoding: json, as: UTF8.self)
        #expect(text.contains(#""lost":true,"number":7,"path":"/spool/door/1.jpg","pinned":true"#))
        let rest = #""source":"reconcile","spool":"attic","stored":"durable","storedAt":"2026-11-21T14:30:12.345999Z""#
        #expect(text.contains(rest))
        // A reader of `StillRecord` accepts this JSON.
        #expect(try WireFormat.decode(StillRecord.self, from: WireFormat.encode(record)) == record.still)
    }

    @Test func `an empty page has only its empty list`() throws {
        #expect(try WireFormat.encode(FramePage(frames: [])) == Array(#"{"frames":[]}"#.utf8))
    }
}
