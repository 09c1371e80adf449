// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSpool

@Suite struct DeletePowerCutTests {
    /// Deletes the first of three durable pictures on a disk whose power goes after so many changes.
    ///
    /// Returns whether the deletion was answered by then, and what is left with the spool opened on it.
    private func cut(
        after count: Int
    ) async throws -> (records: [StillRecord], isAnswered: Bool, left: SpoolFolder, spool: Spool) {
        let files = LossyFiles()
        let folder = try SpoolFolder()
        let spool = try await folder.open(files)
        var records: [StillRecord] = []
        for number in 0..<3 {
            records.append(try await spool.store(still(number), durability: .full, until: soon))
        }
        let copy = Mutex<SpoolFolder?>(nil)
        files.stop(after: count) {
            let left = try? folder.copy()
            try? left.map { try files.cutPower($0.path, of: folder.path) }
            copy.withLock { $0 = left }
        }
        let answer = try? await spool.delete(.ids([records[0].id]), until: soon)
        let stopped = copy.withLock(\.self)
        let left = try stopped ?? folder.copy()
        if stopped == nil { try files.cutPower(left.path, of: folder.path) }
        // An answer after the power has gone is none.
        let isAnswered = answer != nil && stopped == nil
        #expect(isAnswered || stopped != nil)
        return (records, isAnswered, left, try await left.open())
    }

    @Test func `a power cut at any change of a deletion leaves the picture whole or gone, and never brings it back`()
        async throws
    {
        var count = 0
        while true {
            let cut = try await cut(after: count)
            let rows = try catalogOutput(
                "\(cut.left.path)/catalog.sqlite",
                "SELECT path FROM frame WHERE NOT isLost ORDER BY path"
            )
            let pictures = try cut.left.pictures()
            #expect(pictures == rows.split(separator: "\n").map(String.init), "cut after \(count)")
            for name in pictures { #expect(try cut.left.bytes(name) == picture) }
            #expect(try cut.left.names(in: ".incoming").isEmpty)
            // Nobody asked for the others.
            for record in cut.records.dropFirst() {
                #expect(try await cut.spool.picture(of: record.id, until: soon) == picture, "cut after \(count)")
            }
            #expect(pictures.count == 3 || pictures.count == 2)
            if cut.isAnswered {
                #expect(pictures.count == 2, "answered, cut after \(count)")
                let gone = await #expect(throws: Problem.self) {
                    try await cut.spool.frame(cut.records[0].id, until: soon)
                }
                #expect(gone?.code == .frameNotFound)
            }
            // Once a start has seen it, it stays as it is.
            await cut.spool.close(until: soon)
            await (try await cut.left.open()).close(until: soon)
            #expect(try cut.left.pictures() == pictures)
            #expect(try cut.left.bytes("door/latest.jpg") == picture)
            if cut.isAnswered { break }
            count += 1
        }
        #expect(count >= 2)
    }
}
