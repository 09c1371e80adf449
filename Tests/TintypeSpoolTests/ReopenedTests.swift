// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeThreads

@testable internal import TintypeSpool

/// A spool that is closed and opened again, with another catalog, while it is compared or looked after.
@Suite struct ReopenedTests {
    @Test func `pins and tags outlast damage that shows in the midst of a comparison, and the retention that follows`()
        async throws
    {
        let folder = try SpoolFolder()
        let (ids, broken) = try await DamagedSpool.fill(folder)
        try folder.write(picture, to: "yard/2025/01/02/030405.000006Z-000000007.jpg")
        let (files, hold) = (HookedFiles(), Hold())
        // The walk lists that folder first.
        files.once({ $0.verb == "list" && $0.path.hasSuffix("/yard/2025/01/02") }, hold.pass)
        var configuration = folder.configuration
        configuration.retention = RetentionSettings(maxFrames: 10)
        let spool = try await Spool.open(configuration, logger: quiet, files: files, until: soon)
        async let kept: Void = spool.keep()
        try await hold.isReached()
        let told = await #expect(throws: Problem.self) { try await spool.frame(broken, until: soon) }
        #expect(told?.code == .spoolUnavailable && told?.remedy.contains("rebuilt") == true)
        hold.release()
        try await kept
        await spool.close(until: soon)
        #expect(try folder.ids(where: "pinned AND tags = 'alarm'") == [ids[1], ids[DamagedSpool.count - 2]])
        #expect(try folder.pictures().count == 10)
        #expect(try folder.sql("SELECT path FROM frame WHERE NOT isLost ORDER BY path") == folder.pictures())
    }

    @Test func `retention that is interrupted by it begins anew with what it finds then`() async throws {
        let folder = try SpoolFolder()
        let ids = try await folder.filled(0..<60).map(\.id)
        try folder.sql("UPDATE frame SET pinned = 1 WHERE id = \(ids[0].sql)")
        let files = HookedFiles()
        let spool = try await folder.open(RetentionSettings(maxFrames: 10), files: files)
        // As if damage had been found right after the first step.
        files.beforeRemoval {
            try? folder.write(Array("a page is broken".utf8), to: ".catalog-damaged")
            spool.thread.submit { slot in
                slot.storage?.close()
                slot.storage = nil
                spool.condition.lost(Problem(.spoolUnavailable, "A page is broken.", remedy: "None."))
            }
        }
        try await spool.keep()
        await spool.close(until: soon)
        #expect(try folder.ids(where: "pinned") == [ids[0]])
        #expect(try folder.ids() == [ids[0]] + ids[51...])
        #expect(try folder.pictures().count == 10)
        try DamagedSpool.expectSetAside(folder, 1)
    }
}
