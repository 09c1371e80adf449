// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSystem

@testable internal import TintypeSpool

/// Catalogs with an unreadable part, which shows only when that part is accessed.
@Suite struct DamagedCatalogTests {
    private let folder = SpoolFolder()

    @Test func `repairs catalog damage found by a verification without a restart`() async throws {
        let ids = try await DamagedSpool.fill(folder).ids
        let messages = MessageLog()
        let spool = try await SpoolStore.open(folder.configuration, logger: messages.logger)
        let report = try await spool.verify(until: soon)
        #expect(report.lost == 0 && report.takenIn > 0 && report.takenIn < DamagedSpool.count / 2)
        try DamagedSpool.expectRebuilt(folder, ids, messages)
        _ = try await spool.store(still(500), durability: .full, until: soon)
    }

    @Test(arguments: [Int64.min, -1])
    func `a rebuild drops only tombstones with an impossible time`(_ time: Int64) async throws {
        let spool = try await folder.open()
        let ids = try await spool.fill(0..<3, durability: .full).map(\.id)
        _ = try await spool.delete(.ids(Array(ids.prefix(2))), until: soon)
        await spool.close(until: soon)
        try folder.sql("UPDATE tombstone SET deletedAt = \(time) WHERE id = \(ids[0].sql)")
        try folder.write(Array("a page is broken".utf8), to: ".catalog-damaged")
        try await folder.restart()
        #expect(try folder.sql("SELECT \(idText) FROM tombstone") == ["\(ids[1])"])
        #expect(try folder.sql("SELECT \(idText) FROM frame") == ["\(ids[2])"])
    }

    @Test func `keep() reconciles once after each opening`() async throws {
        try folder.write(picture, to: "door/2026/11/21/143012.345678Z-000001234.jpg")
        let spool = try await SpoolStore.open(folder.configuration)
        try await spool.keep()
        #expect(try folder.sql("SELECT count(*) FROM frame") == ["1"])
        try folder.write(picture, to: "door/2026/11/21/143013.345678Z-000001235.jpg")
        try await spool.keep()
        #expect(try folder.sql("SELECT count(*) FROM frame") == ["1"])
        await spool.close(until: soon)
        let again = try await SpoolStore.open(folder.configuration)
        try await again.keep()
        #expect(try folder.sql("SELECT count(*) FROM frame") == ["2"])
    }

    @Test func `pins and tags survive catalog damage during reconciliation`() async throws {
        let (ids, broken) = try await DamagedSpool.fill(folder)
        try folder.write(picture, to: "yard/2025/01/02/030405.000006Z-000000007.jpg")
        let (files, hold) = (FaultyFiles(), Hold())
        // The scan lists this folder first.
        files.once({ $0.verb == "list" && $0.path.hasSuffix("/yard/2025/01/02") }, hold.pass)
        let configuration = folder.configuration(RetentionSettings(maxFrames: 10))
        let spool = try await SpoolStore.open(configuration, files: files)
        async let kept: Void = spool.keep()
        try await hold.isReached()
        let told = await #expect(throws: Problem.self) { try await spool.frame(broken, until: soon) }
        #expect(told?.code == .spoolUnavailable && told?.remedy.contains("rebuilt") == true)
        hold.release()
        try await kept
        await spool.close(until: soon)
        #expect(try folder.ids(where: "pinned AND tags = 'alarm'") == [ids[1], ids[DamagedSpool.count - 2]])
        #expect(try folder.pictures().count == 10)
        #expect(try folder.paths(where: "NOT isLost") == folder.pictures())
    }

    @Test func `retention restarts after catalog damage interrupts it`() async throws {
        let ids = try await folder.filled(0..<60).map(\.id)
        try folder.sql("UPDATE frame SET pinned = 1 WHERE id = \(ids[0].sql)")
        let files = FaultyFiles()
        let spool = try await folder.open(RetentionSettings(maxFrames: 10), files: files)
        // Simulates damage found right after the first step.
        files.beforeRemoval {
            try? folder.write(Array("a page is broken".utf8), to: ".catalog-damaged")
            spool.storage.submit { slot in
                slot.spool?.close()
                slot.spool = nil
                spool.storage.health.lost(Problem(.spoolUnavailable, "A page is broken.", remedy: "None."))
            }
        }
        try await spool.keep()
        await spool.close(until: soon)
        #expect(try folder.ids(where: "pinned") == [ids[0]])
        #expect(try folder.ids() == [ids[0]] + ids[51...])
        #expect(try folder.pictures().count == 10)
        try DamagedSpool.expectSetAside(folder, 1)
    }

    @Test func `a spool stays unavailable if the damage of its catalog cannot be noted`() async throws {
        let (ids, broken) = try await DamagedSpool.fill(folder)
        // Its deletion was interrupted: the opening looks for its row.
        let paths = try folder.sql("SELECT path FROM frame ORDER BY path")
        let path = paths[try #require(ids.firstIndex(of: broken))]
        try folder.sql("INSERT INTO tombstone VALUES ('\(path)', \(broken.sql), 0, zeroblob(32))")
        let files = FaultyFiles()
        files.before { $0.verb == "replace" && $0.path.hasSuffix("/.catalog-damaged") ? EDQUOT : nil }
        let told = await problem { try await SpoolStore.open(folder.configuration, files: files) }
        #expect(told?.code == .spoolUnavailable && told?.remedy.contains("rebuilt") == true, "\(told?.detail ?? "")")
        try DamagedSpool.expectSetAside(folder, 0)
        files.mend()
        let spool = try await folder.open(files: files)
        await spool.close(until: soon)
        try DamagedSpool.expectSetAside(folder, 1)
    }
}
