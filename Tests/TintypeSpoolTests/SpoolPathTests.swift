// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel
internal import TintypeSpool

@Suite struct SpoolPathTests {
    @Test func `a name says camera, UTC time and number`() {
        let path = SpoolPath(camera: "door", capturedAt: noon, sequence: 1234)
        #expect(path.description == "door/2026/11/21/143012.345678Z-000001234.jpg")
        #expect(path.withinCamera == "2026/11/21/143012.345678Z-000001234.jpg")
        #expect(path.folders == ["door", "door/2026", "door/2026/11", "door/2026/11/21"])
    }

    @Test(arguments: [
        SpoolPath(camera: "a", capturedAt: Timestamp(microseconds: 0), sequence: 0),
        SpoolPath(camera: "front.door_2-x", capturedAt: noon, sequence: .max, attempt: 12),
        SpoolPath(camera: "door", capturedAt: noon, sequence: 1234, attempt: 2),
    ])
    func `a name is read back as what it was made of`(_ path: SpoolPath) {
        #expect(SpoolPath(path.description) == path)
    }

    @Test(arguments: [
        "", "door/latest.jpg", "door/2026/11/21/143012.345678Z-1234.jpg",
        "door/2026/02/31/143012.345678Z-000001234.jpg",
        "../2026/11/21/143012.345678Z-000001234.jpg", "door/2026/11/21/143012.345678Z-000001234-1.jpg",
        "door/2026/11/21/143012.345678Z-000001234.jpeg", "x/door/2026/11/21/143012.345678Z-000001234.jpg",
        "door/2026/11/21/143012.345678Z-9999999999.jpg", "door/2026/11/21/243012.345678Z-000001234.jpg",
    ])
    func `a name that the spool does not give is not read`(_ text: String) {
        #expect(SpoolPath(text) == nil)
    }
}
