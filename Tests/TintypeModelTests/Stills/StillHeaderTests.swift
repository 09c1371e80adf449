// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TintypeModel

struct StillHeaderTests {
    private let full = StillRecord(
        id: FrameID(at: Timestamp(microseconds: 1_795_271_412_345_678)),
        camera: "door",
        path: "/spool/door/1.jpg",
        stored: .durable,
        bytes: 123,
        width: 640,
        height: 480,
        sequence: .max,
        capturedAt: Timestamp(microseconds: 1_795_271_412_345_678),
        capturedMonotonicNs: 9_007_199_254_740_993,
        timestampSource: .endOfFrame,
        uncertaintyMs: Milliseconds(.milliseconds(33)),
        leadMs: Milliseconds(.milliseconds(40)),
        ageMs: Milliseconds(.microseconds(12_345)),
        waitedMs: Milliseconds(.milliseconds(7)),
        skipped: [.stale: 2, .corrupt: 1],
        settled: false,
        verdict: .tolerated,
        faults: [.notJPEG, .truncated],
        appearance: [.black, .frozen],
        tags: ["night", "7"],
        average: 4,
        gapMs: Milliseconds(.microseconds(812_500)),
        focus: 35,
        deinterlaced: .blend,
        recompressed: true,
        color: [.transfer: "linear", .range: "full"],
        colorAssumed: [.range],
        sha256: String(repeating: "0a", count: 32),
        phasesMs: Self.phases
    )

    private static var phases: StillPhases {
        var phases = StillPhases()
        phases.open = Milliseconds(.milliseconds(1))
        phases.settle = Milliseconds(.microseconds(2500))
        phases.encode = Milliseconds(.milliseconds(3))
        return phases
    }

    private func header(of record: StillRecord) -> [String: String] {
        StillRecord.headerFields.reduce(into: [:]) { $0[$1.headerName] = $1.headerText(record) }
    }

    private func record(_ header: [String: String], bytes: Int) -> StillRecord? {
        StillRecord(bytes: bytes) { header[$0] }
    }

    @Test func `a record round-trips through its header fields`() throws {
        let header = header(of: full)
        #expect(header.count == StillRecord.headerFields.count)
        #expect(record(header, bytes: 123) == full)
        // All members of the record but `bytes` (Content-Length) have a header field.
        let fields = try WireFormat.decode([String: Ignored].self, from: WireFormat.encode(full)).keys
        #expect(Set(fields) == Set(StillRecord.headerFields.map(\.name) + ["bytes"]))
    }

    private struct Ignored: Decodable { init(from decoder: any Decoder) throws {} }

    @Test func `header values have the documented format`() {
        let header = header(of: full)
        #expect(header["Tintype-Skipped"] == "corrupt=1, stale=2")
        #expect(header["Tintype-Phases-Ms"] == "open=1, settle=2.5, wait=0, encode=3, store=0")
        #expect(header["Tintype-Faults"] == "notJPEG, truncated")
        #expect(header["Tintype-Color"] == "range=full, transfer=linear" && header["Tintype-Color-Assumed"] == "range")
        #expect(header["Tintype-Tags"] == "night, 7")
        #expect(header["Tintype-Settled"] == "false")
        #expect(header["Tintype-Age-Ms"] == "12.345" && header["Tintype-Waited-Ms"] == "7")
        #expect(header["Tintype-Captured-At"] == "\(full.capturedAt)")
        // A Double would lose the last digits.
        #expect(header["Tintype-Captured-Monotonic-Ns"] == "9007199254740993")
    }

    @Test func `a record round-trips through JSON`() throws {
        let json = try WireFormat.encode(StillList(stills: [full]))
        #expect(try WireFormat.decode(StillList.self, from: json).stills == [full])
        let text = String(decoding: json, as: UTF8.self)
        #expect(text.contains(#""skipped":{"corrupt":1,"stale":2}"#))
        #expect(text.contains(#""capturedAt":"2026-11-21T14:30:12.345678Z""#))
        #expect(text.contains(#""capturedMonotonicNs":9007199254740993,"#))
        #expect(text.contains(#""phasesMs":{"encode":3,"open":1,"settle":2.5,"store":0,"wait":0}"#))
    }

    @Test func `a minimal record has only the required header fields`() {
        var small = StillRecord(
            id: full.id,
            camera: "door",
            bytes: 1,
            width: 2,
            height: 3,
            sequence: 0,
            capturedAt: full.capturedAt,
            timestampSource: .dequeue
        )
        let header = header(of: small)
        #expect(
            Set(header.keys)
                == [
                    "Tintype-Id", "Tintype-Camera", "Tintype-Stored", "Tintype-Width", "Tintype-Height",
                    "Tintype-Sequence", "Tintype-Captured-At", "Tintype-Timestamp-Source",
                ]
        )
        #expect(record(header, bytes: 1) == small)
        for field in header.keys { #expect(record(header.filter { $0.key != field }, bytes: 1) == nil, "\(field)") }
        small.skipped = [:]
        #expect(self.header(of: small) == header)
    }

    @Test(arguments: [
        ("id", "7"), ("stored", "maybe"), ("width", "x"), ("sequence", "-1"), ("capturedAt", "now"),
        ("capturedMonotonicNs", "1.5"), ("capturedMonotonicNs", "9223372036854775808"), ("timestampSource", "guess"),
        ("ageMs", "old"), ("ageMs", "nan"), ("ageMs", "1e13"), ("skipped", "stale"),
        ("skipped", "stale=x"), ("skipped", "late=1"), ("skipped", "stale=1, stale=2"), ("settled", "?1"),
        ("verdict", "fine"), ("faults", "truncated, gone"), ("appearance", "ugly"), ("average", "two"),
        ("phasesMs", "open=1"), ("phasesMs", "open=1, settle=2, wait=3, encode=4, store=x"),
    ])
    func `an unreadable header field yields no record`(_ name: String, _ text: String) throws {
        var header = header(of: full)
        let field = try #require(StillRecord.headerFields.first { $0.name == name })
        header[field.headerName] = text
        #expect(record(header, bytes: 123) == nil)
    }
}
