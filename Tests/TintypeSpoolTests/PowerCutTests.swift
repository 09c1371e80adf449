// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSpool

@Suite struct PowerCutTests {
    /// Stores stills with these durabilities, cycling through the cameras, on a disk that then loses power.
    ///
    /// Returns the records, and the remaining folder with a spool opened on it.
    private func cut(
        _ durabilities: [Durability],
        cameras: [String]
    ) async throws -> (records: [StillRecord], folder: SpoolFolder, spool: SpoolStore) {
        let files = LossyFiles()
        let (folder, spool) = try await SpoolFolder.opened(files: files)
        var records: [StillRecord] = []
        for (number, durability) in durabilities.enumerated() {
            let taken = still(number, camera: cameras[number % cameras.count])
            records.append(try await spool.store(taken, durability: durability, until: soon))
        }
        let left = try files.cutPower(of: folder)
        return (records, left, try await left.open())
    }

    @Test func `durable stills survive a power cut`() async throws {
        let left = try await cut([.full, .full, .full], cameras: ["door", "yard"])
        for record in left.records {
            #expect(record.stored == .durable)
            #expect(try await left.spool.picture(of: record.id, until: soon) == picture)
        }
        #expect(try left.folder.pictures().count == 3)
    }

    @Test func `a durable still survives in folders created by undurable ones`() async throws {
        let left = try await cut([.none, .data, .full, .full], cameras: ["door", "yard"])
        for record in left.records.suffix(2) {
            #expect(try await left.spool.picture(of: record.id, until: soon) == picture)
        }
        for name in try left.folder.pictures() { #expect(try left.folder.bytes(name) == picture) }
    }

    @Test func `a refused still does not return after a power cut`() async throws {
        let files = LossyFiles()
        let (folder, spool) = try await SpoolFolder.opened(files: files)
        let stored = try await spool.store(still(), durability: .full, until: soon)
        try folder.refuse("INSERT ON frame")
        #expect(try await spool.refusal(of: still(1)).detail.contains("refused"))
        let left = try files.cutPower(of: folder)
        #expect(try left.pictures().map { "\(folder.path)/\($0)" } == [stored.path])
    }

    @Test(arguments: [Durability.none, .data])
    func `a power cut loses unflushed stills entirely`(_ durability: Durability) async throws {
        let left = try await cut([durability, durability, .full], cameras: ["door", "yard", "roof"])
        for record in left.records.dropLast() {
            #expect(record.stored == .written)
            #expect(await problem { try await left.spool.picture(of: record.id, until: soon) }?.code == .frameNotFound)
        }
        let last = try #require(left.records.last)
        #expect(try await left.spool.picture(of: last.id, until: soon) == picture)
        for name in try left.folder.pictures() { #expect(try left.folder.bytes(name) == picture) }
    }

    @Test func `a power cut during a deletion leaves the picture whole or gone`() async throws {
        let files = LossyFiles()
        let (folder, spool) = try await SpoolFolder.opened(files: files)
        let records = try await spool.fill(0..<3, durability: .full)
        let cuts = Mutex<[SpoolFolder]>([])
        files.beforeEachChange {
            if let left = try? files.cutPower(of: folder) { cuts.withLock { $0.append(left) } }
        }
        _ = try await spool.delete(.ids([records[0].id]), until: soon)
        files.beforeEachChange(nil)
        let answered = try files.cutPower(of: folder)
        let unanswered = cuts.withLock(\.self)
        #expect(unanswered.count >= 2)
        for (count, left) in (unanswered + [answered]).enumerated() {
            let again = try await left.open()
            try left.expectAgreement("cut after \(count)")
            let pictures = try left.pictures()
            // The other pictures were not to be deleted.
            for record in records.dropFirst() {
                #expect(try await again.picture(of: record.id, until: soon) == picture, "cut after \(count)")
            }
            #expect(pictures.count == 2 || pictures.count == 3 && count < unanswered.count, "cut after \(count)")
            // The state stays the same after another start.
            await again.close(until: soon)
            try await left.restart()
            #expect(try left.pictures() == pictures)
            #expect(try left.bytes("door/latest.jpg") == picture)
        }
        await spool.close(until: soon)
    }
}
