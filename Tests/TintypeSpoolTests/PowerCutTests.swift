// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSpool

@Suite struct PowerCutTests {
    /// Stores with these durabilities, for one camera after the other, on a disk that is then cut off.
    ///
    /// Returns the records, and what is left with the spool opened on it.
    private func cut(
        _ durabilities: [Durability],
        cameras: [String]
    ) async throws -> (records: [StillRecord], folder: SpoolFolder, spool: Spool) {
        let files = LossyFiles()
        let (folder, spool) = try await SpoolFolder.opened(files)
        var records: [StillRecord] = []
        for (number, durability) in durabilities.enumerated() {
            let taken = still(number, camera: cameras[number % cameras.count])
            records.append(try await spool.store(taken, durability: durability, until: soon))
        }
        let left = try folder.copy()
        try files.cutPower(left.path, of: folder.path)
        return (records, left, try await left.open())
    }

    @Test func `what was stored as durable is there after a power cut`() async throws {
        let left = try await cut([.full, .full, .full], cameras: ["door", "yard"])
        for record in left.records {
            #expect(record.stored == .durable)
            #expect(try await left.spool.picture(of: record.id, until: soon) == picture)
        }
        #expect(try left.folder.pictures().count == 3)
    }

    @Test func `folders that a still of lower durability made are durable once a full one needs them`() async throws {
        let left = try await cut([.none, .data, .full, .full], cameras: ["door", "yard"])
        for record in left.records.suffix(2) {
            #expect(try await left.spool.picture(of: record.id, until: soon) == picture)
        }
        for name in try left.folder.pictures() { #expect(try left.folder.bytes(name) == picture) }
    }

    @Test func `a durable still that was refused does not come back after a power cut`() async throws {
        let files = LossyFiles()
        let (folder, spool) = try await SpoolFolder.opened(files)
        let stored = try await spool.store(still(), durability: .full, until: soon)
        let trigger = "CREATE TRIGGER refuse BEFORE INSERT ON frame BEGIN SELECT RAISE(ABORT, 'refused'); END"
        try folder.sql(trigger)
        #expect(try await spool.refusal(of: still(1)).detail.contains("refused"))
        let left = try folder.copy()
        try files.cutPower(left.path, of: folder.path)
        #expect(try left.pictures().map { "\(folder.path)/\($0)" } == [stored.path])
    }

    @Test(arguments: [Durability.none, .data])
    func `what was only written may be gone after a power cut, and is never torn`(
        _ durability: Durability
    ) async throws {
        let left = try await cut([durability, durability, .full], cameras: ["door", "yard", "roof"])
        for record in left.records.dropLast() {
            #expect(record.stored == .written)
            let lost = await #expect(throws: Problem.self) { try await left.spool.picture(of: record.id, until: soon) }
            #expect(lost?.code == .frameNotFound)
        }
        let last = try #require(left.records.last)
        #expect(try await left.spool.picture(of: last.id, until: soon) == picture)
        for name in try left.folder.pictures() { #expect(try left.folder.bytes(name) == picture) }
    }
}
