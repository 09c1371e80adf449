// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel
internal import TintypeThreads

@testable internal import TintypeSpool

/// Damaged rows that are set aside while folder and catalog are compared.
@Suite struct RowsSetAsideTests {
    @Test func `the picture of a row that is set aside behind the walk gets another`() async throws {
        let folder = try SpoolFolder()
        let files = HookedFiles()
        let spool = try await folder.open(files)
        var stored: [FrameID] = []
        // More than one step of the walk looks at, which begins with the last name.
        for number in 0..<250 {
            let still = still(number, camera: "yard")
            stored.append(try await spool.store(still, durability: .none, until: soon).id)
        }
        _ = try await spool.store(still(), durability: .none, until: soon)
        let ids = stored
        @Sendable func damage(_ id: FrameID) {
            _ = try? folder.sql("UPDATE frame SET settled = 7 WHERE id = \(id.sql)")
            spool.thread.submit { slot in _ = try? slot.storage?.row(id) }
        }
        // In the first walk, and in the one that this leads to.
        files.beforeListing("/door") {
            damage(ids[249])
            files.beforeListing("/door") { damage(ids[248]) }
        }
        #expect(try await spool.verify(until: soon).takenIn == 1)
        #expect(try folder.sql("SELECT count(*) FROM damagedFrame") == ["2"])
        #expect(try folder.sql("SELECT count(*) FROM frame") == ["250"])
        try await spool.keep()
        #expect(try folder.sql("SELECT path FROM frame ORDER BY path") == folder.pictures())
        await spool.close(until: soon)
    }
}
