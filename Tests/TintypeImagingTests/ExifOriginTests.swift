// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

/// Origin data in the EXIF tags of a picture that is missing from the catalog.
struct ExifOriginTests {
    private func picture(_ average: Int = 1) throws -> (facts: ExifFacts, jpeg: [UInt8]) {
        var facts = try SampleFacts.make(nil)
        (facts.sequence, facts.verdict, facts.average) = (4_000_000_001, .tolerated, average)
        return (facts, facts.write(into: try SampleJPEG.baseline(SampleFacts.size)))
    }

    @Test func `reads id, time and frame data of a tintype picture`() throws {
        let (facts, jpeg) = try picture(4)
        let origin = try #require(ExifOrigin(jpeg))
        #expect(origin.isOurs)
        #expect(origin.id == facts.id)
        #expect(origin.capturedAt == facts.capturedAt)
        #expect(origin.sequence == 4_000_000_001)
        #expect(origin.verdict == .tolerated)
        #expect(origin.average == 4)
    }

    @Test func `reads no average outside 2 to 64`() throws {
        #expect(ExifOrigin(try picture().jpeg)?.average == nil)
        // More frames than a still can average.
        #expect(ExifOrigin(try picture(65).jpeg)?.average == nil)
    }

    @Test(arguments: [true, false, nil])
    func `reads the clock synchronisation of a tintype picture`(_ isSynchronized: Bool?) throws {
        var facts = try picture().facts
        facts.isClockSynchronized = isSynchronized
        let origin = try #require(ExifOrigin(facts.write(into: try SampleJPEG.baseline(SampleFacts.size))))
        #expect(origin.isClockSynchronized == isSynchronized)
    }

    @Test func `a truncated picture still has its id`() throws {
        let (facts, jpeg) = try picture()
        #expect(ExifOrigin([UInt8](jpeg.prefix(jpeg.count - 100)))?.id == facts.id)
        #expect(ExifOrigin([UInt8](jpeg.prefix(40))) == nil)
        #expect(ExifOrigin([]) == nil)
    }

    @Test func `reads the capture time changed by exiftool`() throws {
        let (facts, jpeg) = try picture()
        let changes = ["-DateTimeOriginal=2024:02:29 23:59:58", "-SubSecTimeOriginal=5", "-OffsetTimeOriginal=-08:30"]
        let origin = try #require(ExifOrigin(try Programs.exiftool(jpeg, writing: changes)))
        #expect(origin.capturedAt == Timestamp("2024-03-01T08:29:58.5Z"))
        #expect(origin.id == facts.id)
    }

    @Test func `a picture of other software is not taken for a tintype picture`() throws {
        let facts = try picture().facts
        let theirs = [
            "-Software=Eye 3", "-DateTimeOriginal=2024:02:29 23:59:58", "-ImageUniqueID=\(facts.uniqueID)",
            "-UserComment=sequence=5 verdict=intact",
        ]
        let other = try Programs.exiftool(SampleJPEG.baseline(SampleFacts.size), writing: theirs)
        let foreign = try #require(ExifOrigin(other))
        #expect(!foreign.isOurs)
        // A date without a zone offset is no timestamp.
        #expect(foreign.capturedAt == nil)
        #expect(foreign.id == nil && foreign.sequence == nil && foreign.verdict == nil)
    }

    @Test func `a picture without EXIF data has no origin`() throws {
        #expect(ExifOrigin(try SampleJPEG.baseline(SampleFacts.size)) == nil)
    }

    @Test(
        arguments: [
            ("2026:11:21 14:30:12", "345678", "+00:00", "2026-11-21T14:30:12.345678Z"),
            ("2026:11:21 14:30:12", "345678", "+05:30", "2026-11-21T09:00:12.345678Z"),
            ("2026:12:31 23:30:12", "3", "-01:00", "2027-01-01T00:30:12.300000Z"),
            ("2026:11:21 14:30:12", "123456789", "Z", "2026-11-21T14:30:12.123456Z"),
            ("2026:11:21 14:30:12", nil, "+00:00", "2026-11-21T14:30:12.000000Z"),
            ("2026:11:21 14:30:12", "x", "+00:00", "2026-11-21T14:30:12.000000Z"),
            ("2026:11:21 14:30:12", "3", nil, nil),
            ("2026:11:21 14:30:12", "3", "   :  ", nil),
            ("2026:11:21 14:30:12", "3", "+24:00", nil),
            ("2026:02:30 14:30:12", "3", "+00:00", nil),
            ("    :  :     :  :  ", "3", "+00:00", nil),
            ("2026-11-21 14:30:12", "3", "+00:00", nil),
            ("2026:11:21", "3", "+00:00", nil),
            ("+026:11:21 14:30:12", "3", "+00:00", nil),
            (nil, nil, "+00:00", nil),
        ] as [(String?, String?, String?, String?)]
    )
    func `parses EXIF dates with a zone offset only`(
        _ text: String?,
        _ fraction: String?,
        _ offset: String?,
        _ expected: String?
    ) {
        #expect(ExifOrigin.moment(text, fraction: fraction, offset: offset)?.description == expected)
    }
}
