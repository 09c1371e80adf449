// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TintypeModel

struct StillRecordTests {
    @Test func `a record comes back from the wire, with its reasons as keys`() throws {
        var phases = StillPhases()
        phases.open = Milliseconds(.milliseconds(1))
        phases.wait = Milliseconds(.milliseconds(2))
        phases.encode = Milliseconds(.milliseconds(3))
        let record = StillRecord(
            id: FrameID(at: .now()),
            camera: "door",
            path: "/var/spool/door/1.jpg",
            stored: .durable,
            bytes: 123,
            width: 640,
            height: 480,
            sequence: 7,
            capturedAt: Timestamp(microseconds: 1_795_271_412_345_678),
            capturedMonotonicNs: 9_007_199_254_740_993,
            timestampSource: .endOfFrame,
            uncertaintyMs: Milliseconds(.milliseconds(33)),
            ageMs: Milliseconds(.milliseconds(40)),
            waitedMs: Milliseconds(.milliseconds(30)),
            skipped: [.stale: 1, .corrupt: 2],
            sha256: "00",
            phasesMs: phases
        )
        let json = try WireFormat.encode(StillList(stills: [record]))
        #expect(try WireFormat.decode(StillList.self, from: json).stills == [record])
        let text = String(decoding: json, as: UTF8.self)
        #expect(text.contains(#""skipped":{"corrupt":2,"stale":1}"#))
        #expect(text.contains(#""capturedAt":"2026-11-21T14:30:12.345678Z""#))
        #expect(text.contains(#""capturedMonotonicNs":9007199254740993,"#))
        #expect(text.contains(#""phasesMs":{"encode":3,"open":1,"settle":0,"store":0,"wait":2}"#))
    }
}
