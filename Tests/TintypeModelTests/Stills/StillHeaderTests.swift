// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

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
        capturedMonotonicNs: 81_234_567_890_123,
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
        sha256: String(repeating: "0a", count: 32),
        phasesMs: StillPhases(open: .milliseconds(1), settle: .microseconds(2500), encode: .milliseconds(3))
    )

    private func header(of record: StillRecord) -> [StillRecord.HeaderField: String] {
        StillRecord.HeaderField.allCases.reduce(into: [:]) { $0[$1] = record[header: $1] }
    }

    @Test func `every field of a record is in the header, and comes back from it`() throws {
        let header = header(of: full)
        #expect(header.count == StillRecord.HeaderField.allCases.count)
        #expect(StillRecord(header: header, bytes: 123) == full)
        // No field of the record is left out, but its bytes, which are Content-Length.
        let fields = try WireFormat.decode([String: Ignored].self, from: WireFormat.encode(full)).keys
        #expect(Set(fields) == Set(StillRecord.HeaderField.allCases.map { "\($0)" } + ["bytes"]))
    }

    private struct Ignored: Decodable { init(from decoder: any Decoder) throws {} }

    @Test func `maps and lists are as the contract says`() {
        #expect(full[header: .skipped] == "corrupt=1, stale=2")
        #expect(full[header: .phasesMs] == "open=1, settle=2.5, wait=0, encode=3, store=0")
        #expect(full[header: .faults] == "notJPEG, truncated")
        #expect(full[header: .tags] == "night, 7")
        #expect(full[header: .settled] == "false")
        #expect(full[header: .ageMs] == "12.345" && full[header: .waitedMs] == "7")
        #expect(StillRecord.HeaderField.capturedAt.rawValue == "Tintype-Captured-At")
        // Not as a floating-point number, which has no room for so many digits.
        #expect(full[header: .capturedMonotonicNs] == "81234567890123")
    }

    @Test func `what is nil or empty has no field`() {
        var record = StillRecord(
            id: full.id,
            camera: "door",
            bytes: 1,
            width: 2,
            height: 3,
            sequence: 0,
            capturedAt: full.capturedAt,
            timestampSource: .dequeue
        )
        let header = header(of: record)
        #expect(
            Set(header.keys) == [.id, .camera, .stored, .width, .height, .sequence, .capturedAt, .timestampSource]
        )
        #expect(StillRecord(header: header, bytes: 1) == record)
        for field in header.keys {
            #expect(StillRecord(header: header.filter { $0.key != field }, bytes: 1) == nil, "\(field)")
        }
        record.skipped = [:]
        #expect(record[header: .skipped] == nil)
    }

    @Test(arguments: [
        (StillRecord.HeaderField.id, "7"), (.stored, "maybe"), (.width, "x"), (.sequence, "-1"), (.capturedAt, "now"),
        (.capturedMonotonicNs, "1.5"), (.capturedMonotonicNs, "9223372036854775808"), (.timestampSource, "guess"),
        (.ageMs, "old"), (.ageMs, "nan"), (.ageMs, "1e13"), (.skipped, "stale"),
        (.skipped, "stale=x"), (.skipped, "late=1"), (.skipped, "stale=1, stale=2"), (.settled, "?1"),
        (.verdict, "fine"), (.faults, "truncated, gone"), (.appearance, "ugly"), (.average, "two"),
        (.phasesMs, "open=1"), (.phasesMs, "open=1, settle=2, wait=3, encode=4, store=x"),
    ])
    func `a field that cannot be read makes no record`(_ field: StillRecord.HeaderField, _ text: String) {
        var header = header(of: full)
        header[field] = text
        #expect(StillRecord(header: header, bytes: 123) == nil)
    }
}
