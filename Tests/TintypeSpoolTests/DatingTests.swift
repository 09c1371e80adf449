// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeImaging
internal import TintypeModel

@testable internal import TintypeSpool

/// By what a picture that is taken in is dated, and whether its age can be believed then.
@Suite struct DatingTests {
    private static let moment = Timestamp(microseconds: 1_780_000_000_123_456)

    @Test func `no row is made that could not be read: of the year 0, or of more frames than a mean has`() async throws
    {
        let folder = SpoolFolder()
        let facts = ExifFacts(
            id: FrameID(at: Self.moment),
            capturedAt: Self.moment,
            size: FrameSize(width: 16, height: 8),
            sequence: 77,
            verdict: .intact,
            average: 1000
        )
        try folder.write(picture, to: "door/0000/11/21/143012.345678Z-000001234.jpg")
        try folder.write(facts.write(into: picture), to: "yard/holiday.jpg")
        let spool = try await Spool.open(folder.configuration)
        let report = try await spool.verify(until: soon)
        #expect(report.takenIn == 1 && report.foreign == 1)
        let page = try await spool.frames(FrameQuery(), until: soon)
        #expect(page.frames.map(\.still.camera) == ["yard"])
        await spool.close(until: soon)
        try DamagedSpool.expectSetAside(folder, 0)
    }

    @Test func `what is taken in with a time of before 2020 has no age that could be believed`() async throws {
        let folder = SpoolFolder()
        try folder.write(picture, to: "door/2025/01/02/030405.000006Z-000000007.jpg")
        try folder.write(picture, to: "yard/1970/01/01/000012.345678Z-000001234.jpg")
        let spool = try await folder.open(RetentionSettings(maxAge: .seconds(86_400)))
        #expect(try folder.sql("SELECT isClockSynchronized FROM frame ORDER BY camera") == ["1", "0"])
        let report = try await spool.retention(
            dryRun: true,
            confirm: true,
            at: clocks(.seconds(5 * 86_400)),
            until: soon
        )
        #expect(report.withheld == nil && report.victims.map(\.camera) == ["door"])
    }
}
