// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeImaging
internal import TintypeModel

@testable internal import TintypeSpool

/// Reconciliation of files and rows that do not match.
@Suite struct TakingInTests {
    private let folder = SpoolFolder()

    /// Returns ``picture`` with EXIF data of tintyped and a time that matches no file name.
    private func described(_ id: FrameID, _ time: Timestamp) -> [UInt8] {
        facts(time, id: id, verdict: .tolerated, average: 8).write(into: picture)
    }

    private static let size = FrameSize(width: 640, height: 480)

    /// Returns a greyscale picture of ``size``.
    private static func large() throws -> [UInt8] {
        let layout = PictureLayout(pixelFormat: .grey, size: size, bytesPerRow: size.width, color: .jfif)
        let pixels = (0..<size.area).map { UInt8(truncatingIfNeeded: $0 % size.width / 3 &+ $0 / size.width) }
        var encoder = JPEGEncoder()
        return try unsafe encoder.encode(pixels.span.bytes, layout: layout, quality: 80)
    }

    private static let moment = Timestamp(microseconds: 1_780_000_000_123_456)

    @Test func `imports a picture with the id, time and verdict of its EXIF data`() async throws {
        let id = FrameID(at: Self.moment)
        let bytes = described(id, Self.moment)
        try folder.write(bytes, to: "door/2026/11/21/143012.345678Z-000001234.jpg")
        try folder.write(bytes, to: "yard/holiday.jpg")
        let spool = try await folder.open()
        let rows = try folder.sql("SELECT capturedAt, sequence, verdict, average, source FROM frame")
        #expect(rows == Array(repeating: "\(Self.moment.microseconds)|77|tolerated|8|reconcile", count: 2))
        // A copy has the same id in its EXIF data, and gets another.
        let ids = try folder.ids()
        #expect(Set(ids).count == 2 && ids.allSatisfy { $0.millisecond == Self.moment.microseconds / 1000 })
        #expect(try await spool.picture(of: id, until: soon) == bytes)
    }

    @Test(arguments: [true, false, nil])
    func `an imported picture keeps the mark of an unsynchronised clock`(_ isSynchronized: Bool?) async throws {
        let yesterday = Timestamp(microseconds: Timestamp.now().microseconds - 86_400_000_000)
        var dated = facts(yesterday, verdict: .tolerated)
        dated.isClockSynchronized = isSynchronized
        try folder.write(dated.write(into: picture), to: "door/a.jpg")
        try folder.write(picture, to: "door/2100/11/21/143012.345678Z-000001234.jpg")
        _ = try await folder.open()
        let rows = try folder.sql("SELECT isClockSynchronized FROM frame ORDER BY capturedAt")
        // A picture of the future has no credible time.
        #expect(rows == [isSynchronized == false ? "0" : "1", "0"])
    }

    @Test func `imports no row that could not be read back`() async throws {
        try folder.write(picture, to: "door/0000/11/21/143012.345678Z-000001234.jpg")
        try folder.write(facts(Self.moment, average: 1000).write(into: picture), to: "yard/holiday.jpg")
        let spool = try await SpoolStore.open(folder.configuration)
        let report = try await spool.verify(until: soon)
        #expect(report.takenIn == 1 && report.foreign == 1)
        #expect(try await spool.frames(FrameQuery(), until: soon).frames.map(\.still.camera) == ["yard"])
        await spool.close(until: soon)
        try DamagedSpool.expectSetAside(folder, 0)
    }

    @Test func `an impossible time in the EXIF data gives way to that of the name`() async throws {
        let time = try #require(HumanTime.parse("0000-07-01"))
        let bytes = facts(time, id: FrameID(at: noon)).write(into: picture)
        let read = try #require(ExifOrigin(bytes)?.capturedAt)
        try #require(!CheckedRow.moments.contains(read.microseconds))
        try folder.write(bytes, to: storedName())
        _ = try await folder.open()
        #expect(try folder.sql("SELECT capturedAt FROM frame") == ["\(noon.microseconds)"])
    }

    @Test func `an imported picture dated before 2020 has no age`() async throws {
        try folder.write(picture, to: "door/2025/01/02/030405.000006Z-000000007.jpg")
        try folder.write(picture, to: "yard/1970/01/01/000012.345678Z-000001234.jpg")
        let spool = try await folder.open(RetentionSettings(maxAge: .seconds(86_400)))
        #expect(try folder.sql("SELECT isClockSynchronized FROM frame ORDER BY camera") == ["1", "0"])
        let at = clocks(.seconds(5 * 86_400))
        let report = try await spool.retention(dryRun: true, confirm: true, at: at, until: soon)
        #expect(report.withheld == nil && report.victims.map(\.camera) == ["door"])
    }

    @Test func `an imported picture without EXIF data has the time of its name`() async throws {
        let name = "door/2026/11/21/143012.345678Z-000001234-3.jpg"
        try folder.write(picture, to: name)
        _ = try await folder.open()
        let columns = "camera, bytes, width, height, sequence, capturedAt, lower(hex(sha256)), stored, verdict"
        let digest = try shellOutput("sha256sum", "\(folder.path)/\(name)").prefix(64)
        let row = "door|\(picture.count)|16|8|1234|\(noon.microseconds)|\(digest)|written|"
        #expect(try folder.sql("SELECT \(columns) FROM frame") == [row])
    }

    @Test func `opens a spool written by another machine`() async throws {
        let origin = SpoolFolder()
        let record = try await origin.filled([0], durability: .full)[0]
        try origin.sql("UPDATE frame SET bootID = 'of-another-machine', storedMonotonicNs = 5")
        try origin.write(picture, to: "roof/2024/02/29/235959.999999Z-000000001.jpg")
        let folder = try origin.copy()
        let spool = try await folder.open()
        #expect(try await spool.picture(of: record.id, until: soon) == picture)
        _ = try await spool.frame(record.id, until: soon)
        #expect(try folder.sql("SELECT count(*) FROM frame WHERE NOT isLost") == ["2"])
    }

    @Test func `a tombstone of 29 days blocks only its own picture`() async throws {
        let spool = try await folder.open()
        let path = "door/2026/11/21/143012.345678Z-000001234.jpg"
        _ = try await spool.store(still(), durability: .full, until: soon)
        try folder.bury(at: .now() - day * 29)
        try folder.sql("DELETE FROM frame")
        let report = try await spool.verify(until: soon)
        #expect(report.removed == 1 && report.takenIn == 0)
        #expect(try folder.pictures().isEmpty)
        let other = picture + [0, 0]
        try folder.write(other, to: path)
        let again = try await spool.verify(until: soon)
        #expect(again.removed == 0 && again.takenIn == 1)
        #expect(try folder.bytes(path) == other)
        #expect(try folder.sql("SELECT count(*) FROM tombstone") == ["0"])
    }

    @Test func `a picture deleted 31 days ago can be restored with its id`() async throws {
        let spool = try await folder.open()
        var still = still()
        still.picture = described(still.record.id, still.record.capturedAt)
        let record = try await spool.store(still, durability: .full, until: soon)
        _ = try await spool.delete(.ids([record.id]), until: soon)
        try folder.write(still.picture, to: "door/2026/11/21/143012.345678Z-000001234.jpg")
        try folder.sql("UPDATE tombstone SET deletedAt = deletedAt - 31 * 86400000000")
        let report = try await spool.verify(until: soon)
        #expect(report.removed == 0 && report.takenIn == 1)
        #expect(try await spool.picture(of: record.id, until: soon) == still.picture)
    }

    @Test func `a copy of a deleted picture gets a new id`() async throws {
        let spool = try await folder.open()
        var still = still()
        still.picture = described(still.record.id, still.record.capturedAt)
        let record = try await spool.store(still, durability: .full, until: soon)
        try folder.write(still.picture, to: "door/2026/11/21/143012.345678Z-000001234-2.jpg")
        _ = try await spool.delete(.ids([record.id]), until: soon)
        #expect(try await spool.verify(until: soon).takenIn == 1)
        #expect(await problem { try await spool.picture(of: record.id, until: soon) }?.code == .frameNotFound)
        let ids = try folder.ids()
        #expect(ids.count == 1)
        #expect(try await spool.picture(of: try #require(ids.first), until: soon) == still.picture)
    }

    @Test func `deep verification quarantines pictures with changed bytes`() async throws {
        let spool = try await folder.open()
        let records = try await spool.fill(0...1, durability: .full)
        var bytes = picture
        bytes[bytes.count / 2] ^= 1
        try folder.write(bytes, to: "door/2026/11/21/143013.345678Z-000001235.jpg")
        #expect(try await spool.verify(until: soon).damaged == nil)
        let report = try await spool.verify(deep: true, until: soon)
        #expect(report.isDeep && report.damaged == [records[1].id])
        #expect(report.quarantined == 1 && report.lost == 1)
        #expect(try folder.pictures().count == 1)
        #expect(try folder.names(in: ".quarantine").count == 1)
        #expect(try await spool.verify(deep: true, until: soon).damaged == [])
    }

    @Test(arguments: [(nil, false), (.intact, false), (.sound, true), (.tolerated, true)] as [(Verdict?, Bool)])
    func `imports an incomplete file only if its verdict allows it`(
        _ verdict: Verdict?,
        _ isTakenIn: Bool
    ) async throws {
        var bytes = try Self.large()
        if let verdict { bytes = facts(noon, size: Self.size, verdict: verdict).write(into: bytes) }
        try folder.write(bytes, to: "door/2026/11/21/143012.345678Z-000001234.jpg")
        // A block of the disk that was not written before a power cut: all marker segments are intact.
        let middle = bytes.count / 2
        for place in middle..<middle + 512 { bytes[place] = 0 }
        try folder.write(bytes, to: "yard/2026/11/21/143012.345678Z-000001234.jpg")
        let log = MessageLog()
        _ = try await folder.open(logger: log.logger)
        let rows = try folder.sql("SELECT camera FROM frame ORDER BY camera")
        #expect(rows == (isTakenIn ? ["door", "yard"] : ["door"]))
        #expect(log.warnings.contains { $0.contains("is incomplete") } != isTakenIn)
    }

    @Test(arguments: [Verdict.intact, .sound, .tolerated], [2, 100])
    func `quarantines a file without its end at any verdict`(
        _ verdict: Verdict,
        _ missing: Int
    ) async throws {
        let bytes = facts(noon, size: Self.size, verdict: verdict).write(into: try Self.large())
        try folder.write([UInt8](bytes.dropLast(missing)), to: "door/2026/11/21/143012.345678Z-000001234.jpg")
        _ = try await folder.open()
        #expect(try folder.sql("SELECT count(*) FROM frame") == ["0"])
        #expect(try folder.names(in: ".quarantine").count == 1)
    }

    @Test func `ignores EXIF data of another program`() async throws {
        let (ours, others) = (Array("tintyped ".utf8), Array("gphoto2x ".utf8))
        var bytes = described(FrameID(at: Self.moment), Self.moment)
        let place = try #require(bytes.firstRange(of: ours))
        bytes.replaceSubrange(place, with: others)
        try folder.write(bytes, to: "yard/holiday.jpg")
        try folder.write(bytes, to: "door/2026/11/21/143012.345678Z-000001234.jpg")
        _ = try await folder.open()
        #expect(try folder.sql("SELECT camera, capturedAt FROM frame") == ["door|\(noon.microseconds)"])
        #expect(try folder.bytes("yard/holiday.jpg") == bytes)
    }

    @Test func `rejects an EXIF id that does not match the capture time`() async throws {
        try folder.write(described(FrameID(at: noon), Self.moment), to: "door/a.jpg")
        _ = try await folder.open()
        #expect(try folder.ids().map(\.millisecond) == [Self.moment.microseconds / 1000])
    }

    @Test func `stores stills during a verification without losses or duplicates`() async throws {
        try await folder.filled(0..<300)
        try folder.remove("catalog.sqlite")
        let spool = try await SpoolStore.open(folder.configuration)
        async let verification = spool.verify(until: soon + .seconds(86_400))
        try await spool.fill(300..<420)
        let report = try await verification
        #expect(report.lost == 0 && report.quarantined == 0)
        let rows = try folder.paths(where: "NOT isLost")
        #expect(rows == (try folder.pictures()) && rows.count == 420)
        #expect(try folder.sql("SELECT count(*) FROM frame WHERE source = 'request'") == ["120"])
    }

    @Test func `skips folders and links in place of pictures`() async throws {
        try folder.write(picture, to: "door/2026/11/21/143012.345678Z-000001234.jpg")
        try folder.write(picture, to: "yard/2026/11/21/143012.345678Z-000001234.jpg")
        // A folder and a link in place of files, and a link out of the spool.
        try folder.makeFolder("door/2026/11/21/143013.345678Z-000001235.jpg")
        let secret = SpoolFolder()
        try secret.write(picture, to: "2026/11/21/143014.345678Z-000001236.jpg")
        try folder.link("roof", to: secret.path)
        let target = "\(secret.path)/2026/11/21/143014.345678Z-000001236.jpg"
        try folder.link("door/2026/11/21/143015.345678Z-000001237.jpg", to: target)
        _ = try await folder.open()
        #expect(try folder.paths() == ["door", "yard"].map { "\($0)/2026/11/21/143012.345678Z-000001234.jpg" })
    }

    @Test func `a latest.jpg that is a regular file gets no row`() async throws {
        try folder.write(picture, to: "door/latest.jpg")
        _ = try await folder.open()
        #expect(try folder.sql("SELECT count(*) FROM frame") == ["0"])
        #expect(try folder.bytes("door/latest.jpg") == picture)
    }

    @Test func `reads the saved clock once for all files without a row`() async throws {
        for number in 0..<5 { try folder.write(picture, to: storedName(number)) }
        let files = FaultyFiles()
        let reads = Mutex(0)
        files.before { call in
            if call.verb == "read", call.path.hasSuffix("/.clock") { reads.withLock { $0 += 1 } }
            return nil
        }
        let spool = try await folder.open(files: files)
        #expect(try folder.paths().count == 5)
        #expect(reads.withLock(\.self) == 1)
        await spool.close(until: soon)
    }
}
