// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct FileNamesTests {
    private let id = FrameID(at: noon)

    private func name(_ pattern: String, _ time: Timestamp = noon, offset: Int = 0) throws -> String {
        let names = try FileNames(pattern)
        return names.path(camera: "door", capturedAt: time, sequence: 1234, id: id, offset: offset).description
    }

    @Test func `the standard name has camera, UTC time and sequence number`() throws {
        let path = FileNames.standard.path(camera: "door", capturedAt: noon, sequence: 1234, id: id)
        #expect(path.description == "door/2026/11/21/143012.345678Z-000001234.jpg")
        #expect(path.withinCamera == "2026/11/21/143012.345678Z-000001234.jpg")
        #expect(path.folders == ["door", "door/2026", "door/2026/11", "door/2026/11/21"])
        #expect(try FileNames("%Y/%m/%d/%H%M%S.%fZ-{sequence}") == .standard)
    }

    @Test func `formats a name from a pattern`() throws {
        #expect(try name("{camera}-{sequence}-{id}") == "door/door-000001234-\(id).jpg")
        #expect(try name("%F_%T.jpg") == "door/2026-11-21_14:30:12.jpg")
        #expect(try name("100%%/a b ü") == "door/100%/a b ü.jpg")
        let path = try FileNames("%j").path(camera: "a", capturedAt: noon, sequence: 0, id: id)
        #expect(path.folders == ["a"])
    }

    /// Reference: date(1), also at the ends of years and weeks.
    @Test(arguments: [
        "2026-11-21T14:30:12Z", "2024-02-29T00:00:00Z", "2024-12-30T23:59:59Z", "2027-01-03T12:00:00Z",
        "2021-01-01T11:59:59Z", "1999-12-31T13:00:00Z", "2000-03-01T01:02:03Z",
    ])
    func `time fields match strftime`(_ text: String) throws {
        let letters = NameField.letters.keys.filter { !"fz".contains($0) }.sorted()
        let format = letters.map { "%\($0)" }.joined(separator: "_")
        let expected = try shellOutput("env", "LC_ALL=C", "TZ=UTC", "date", "-d", text, "+\(format)")
        let time = try #require(Timestamp(text))
        #expect(try name(format, time) == "door/\(expected.dropLast()).jpg")
    }

    @Test(arguments: ["Europe/Berlin", "America/St_Johns", "Asia/Kathmandu"])
    func `a pattern with %z uses local time and reads back as UTC`(_ zone: String) throws {
        let seconds = noon.microseconds / 1_000_000
        let text = try shellOutput("env", "LC_ALL=C", "TZ=\(zone)", "date", "-d", "@\(seconds)", "+%F_%H%M%S%z")
        let date = Date(timeIntervalSince1970: 1_795_271_412)
        let offset = try #require(TimeZone(identifier: zone)?.secondsFromGMT(for: date))
        #expect(try name("%F_%H%M%S%z", offset: offset) == "door/\(text.dropLast()).jpg")
        let reading = try #require(try FileNames("%F_%H%M%S%z").reading("door/\(text.dropLast()).jpg"))
        #expect(reading.capturedAt?.microseconds == seconds * 1_000_000)
        #expect(try FileNames("%F_%H%M%S%z").isLocal)
        #expect(!FileNames.standard.isLocal)
    }

    @Test(arguments: [
        ("%Q", "“%Q” is no field"), ("a%", "“%” stands at the end"), ("{time}", "“{time}” is no field"),
        ("{camera", "is no field"), ("a}", "“}” stands without"), ("", "is empty"), (".jpg", "is empty"),
        ("/%F", "begins with “/”"), ("../%F", "“..” in the pattern"), ("%Y/../../%F", "“..” in the pattern"),
        ("%Y/./%F", "“.” in the pattern"), ("%Y//%F", "empty name"), ("%Y/", "empty name"),
        (".%F", "begins with a dot"), ("%Y/.%F", "begins with a dot"), ("a\u{0}b", "control character"),
        ("a\nb", "control character"), ("latest", "latest.jpg"), ("latest.jpg", "latest.jpg"),
        (String(repeating: "a", count: 241), "longer than 240"),
        ([String](repeating: String(repeating: "a", count: 200), count: 6).joined(separator: "/"), "longer than 240"),
        ("%c", "“%c” is no field"), ("%D", "“%D” is no field"),
    ])
    func `rejects a pattern with unsafe or impossible names`(
        _ pattern: String,
        _ words: String
    ) {
        let fault = #expect(throws: FileNames.Fault.self) { try FileNames(pattern) }
        #expect(fault?.detail.contains(words) == true, "\(fault?.detail ?? "")")
        #expect(fault?.remedy.isEmpty == false)
    }

    @Test func `a camera named latest does not collide with latest.jpg`() throws {
        let path = try FileNames("{camera}").path(camera: "latest", capturedAt: noon, sequence: 1, id: id)
        #expect(path.description == "latest/latest-2.jpg")
    }

    @Test(arguments: [
        "%Y/%m/%d/%H%M%S.%fZ-{sequence}", "%F/%T.%f", "%s-{sequence}", "{camera}_%Y%j_%H%M%S_%f",
        "%B/%d-%Y-%H-%M-%S.%f", "%Y%b%d%I%M%S%p%f", "{id}/%s.%f", "{sequence}{sequence}%s.%f", "%A %F %H-%M-%S.%f%z",
    ])
    func `a name parses back to its camera, time and number`(_ pattern: String) throws {
        let names = try FileNames(pattern)
        for sequence in [UInt32(0), 999_999_999, 1_000_000_000, .max] {
            for attempt in [1, 2, 117] {
                for micros in [0, noon.microseconds, noon.microseconds - 12 * 3_600_000_000] {
                    let time = Timestamp(microseconds: micros)
                    let offset = names.isLocal ? 19_800 : nil
                    var path = names.path(camera: "a-1.b", capturedAt: time, sequence: sequence, id: id, offset: offset)
                    path.attempt = attempt
                    let reading = try #require(names.reading(path.description), "\(path)")
                    #expect(reading.camera == "a-1.b")
                    let micros = pattern.contains("%f") ? time.microseconds : time.microseconds / 1_000_000 * 1_000_000
                    #expect(reading.capturedAt?.microseconds == micros, "\(path)")
                    #expect(reading.sequence == (pattern.contains("{sequence}") ? sequence : nil), "\(path)")
                    #expect(reading.id == (pattern.contains("{id}") ? id : nil), "\(path)")
                }
            }
        }
    }

    @Test func `a pattern without the full time parses to no time`() throws {
        let reading = try #require(try FileNames("%Y/%m-%d-{sequence}").reading("door/2026/11-21-000000007-3.jpg"))
        #expect(reading == NameReading(camera: "door", capturedAt: nil, sequence: 7, id: nil))
    }

    @Test func `parses a standard name under any pattern`() throws {
        let reading = try FileNames("%s").reading("door/2026/11/21/143012.345678Z-000001234.jpg")
        #expect(reading == NameReading(camera: "door", capturedAt: noon, sequence: 1234, id: nil))
    }

    @Test(arguments: [
        "", "door/latest.jpg", "door/2026/11/21/143012.345678Z-1234.jpg",
        "door/2026/02/31/143012.345678Z-000001234.jpg", "../2026/11/21/143012.345678Z-000001234.jpg",
        "door/2026/11/21/143012.345678Z-000001234-1.jpg",
        "door/2026/11/21/143012.345678Z-000001234-02.jpg", "door/2026/11/21/143012.345678Z-000001234-100001.jpg",
        "door/2026/11/21/143012.345678Z-000001234.jpeg", "x/door/2026/11/21/143012.345678Z-000001234.jpg",
        "door/2026/11/21/143012.345678Z-9999999999.jpg", "door/2026/11/21/243012.345678Z-000001234.jpg",
        "door/2026/11/21/143012.345678Z-0000001234.jpg", "door/2026/11/21/143012.345678Z-00000123a.jpg",
    ])
    func `rejects a name that the spool never generates`(_ text: String) {
        #expect(FileNames.standard.reading(text) == nil)
    }
}
