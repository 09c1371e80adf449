// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Automatic removal of pictures: victims, reasons and suspension.
@Suite struct RetentionTests {
    private let disk = SmallDisk(free: 64 << 20)

    /// Returns a still captured `day` days after ``noon``.
    private func still(day: Int, camera: String = "door", tags: [String]? = nil, verdict: Verdict? = nil) -> Still {
        TintypeSpoolTests.still(day * 86_400, camera: camera, tags: tags, verdict: verdict)
    }

    @discardableResult
    private func fill(_ spool: SpoolStore, _ folder: SpoolFolder, _ stills: [Still]) async throws -> [FrameID] {
        let ids = try await spool.fill(stills).map(\.id)
        try folder.believeTimes()
        return ids
    }

    /// Expects folder and catalog to agree, with nothing left of removed pictures but their tombstones.
    private func expectAgreement(_ folder: SpoolFolder) throws {
        #expect(try folder.pictures() == folder.paths())
        #expect(try folder.names(in: ".incoming").allSatisfy { $0 == "clock" })
    }

    /// Expects a real run to do what a dry run has reported.
    private func expectDone(_ told: RetentionReport, in spool: SpoolStore, at clocks: ClockReading) async throws {
        var done = try await spool.retention(dryRun: false, at: clocks, until: soon)
        #expect(!done.isDryRun)
        done.isDryRun = true
        #expect(done == told)
    }

    @Test func `the longest matching rule overrides maxAge`() async throws {
        let rules = [try rule(30, "verdict:intact"), try rule(365, "tag:alarm")]
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(rules: rules, maxAge: day * 7))
        let stills = [
            still(day: 0), still(day: 0, tags: ["alarm"], verdict: .intact), still(day: 0, verdict: .intact),
            still(day: 1, verdict: .tolerated), still(day: 1, verdict: .intact), still(day: 25),
        ]
        let ids = try await fill(spool, folder, stills)
        let at = clocks(day * 30 + .seconds(5))
        let told = try await spool.retention(dryRun: true, at: at, until: soon)
        #expect(told.isDryRun && told.withheld == nil && told.keptByPin == 0)
        let victims = Dictionary(uniqueKeysWithValues: told.victims.map { ($0.id, $0.rule) })
        #expect(victims == [ids[0]: "maxAge 7d", ids[2]: "keep 30d where verdict:intact", ids[3]: "maxAge 7d"])
        #expect(told.frames == 3 && told.bytes == 3 * picture.count)
        #expect(try folder.ids().count == 6)
        try await expectDone(told, in: spool, at: at)
        #expect(try folder.ids() == [ids[1], ids[4], ids[5]].sorted())
        try expectAgreement(folder)
        #expect(try await spool.retention(dryRun: false, at: at, until: soon).frames == 0)
    }

    @Test func `keeps pinned pictures and reports their number`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxAge: day, maxFrames: 3))
        let ids = try await fill(spool, folder, (0..<3).map { still(day: $0) })
        try folder.sql("UPDATE frame SET pinned = 1 WHERE id = \(ids[0].sql)")
        let report = try await spool.retention(dryRun: false, at: clocks(day * 2 + .seconds(5)), until: soon)
        #expect(report.keptByPin == 1)
        #expect(report.victims.map(\.id) == [ids[1]])
        #expect(try folder.ids() == [ids[0], ids[2]])
    }

    @Test func `limits remove the pictures stored first`() async throws {
        let (folder, stored) = try await SpoolFolder.opened()
        // Stored in another order than captured.
        let doors = try await fill(stored, folder, [3, 1, 4, 0, 2].map { still(day: $0) })
        let yards = try await fill(stored, folder, [9, 8, 7].map { still(day: $0, camera: "yard") })
        await stored.close(until: soon)
        let spool = try await folder.open(
            RetentionSettings(maxFrames: 6),
            cameras: ["yard": RetentionSettings(maxBytes: 2 * picture.count + 1)]
        )
        let told = try await spool.retention(dryRun: true, at: clocks(.zero), until: soon)
        #expect(told.victims.map(\.id) == [doors[0], doors[1], yards[0]])
        #expect(told.victims.map(\.rule) == ["maxFrames 6", "maxFrames 6", "yard: maxBytes \(2 * picture.count + 1)"])
        try await expectDone(told, in: spool, at: clocks(.zero))
        #expect(try folder.ids().count == 5)
        try expectAgreement(folder)
        #expect(try folder.bytes("yard/latest.jpg") == picture)
    }

    @Test func `a dry run reports the victims of ages and limits`() async throws {
        let (folder, first) = try await SpoolFolder.opened()
        let ids = try await fill(first, folder, (0..<12).map { still(day: $0, tags: $0 % 3 == 0 ? ["alarm"] : nil) })
        await first.close(until: soon)
        let rules = [try rule(365, "tag:alarm")]
        let spool = try await folder.open(RetentionSettings(rules: rules, maxAge: day * 5, maxFrames: 4))
        let at = clocks(day * 12)
        let told = try await spool.retention(dryRun: true, at: at, until: soon)
        try await expectDone(told, in: spool, at: at)
        // maxAge removes all but the alarms up to day 7, then maxFrames the oldest of the remaining eight.
        #expect(Set(told.victims.map(\.rule)) == ["maxAge 5d", "maxFrames 4"])
        #expect(try folder.ids() == Array(ids.suffix(4)))
    }

    @Test func `a new picture replaces the oldest unpinned one`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxFrames: 3))
        let ids = try await fill(spool, folder, (0..<5).map { still(day: $0) })
        #expect(try folder.ids() == [ids[2], ids[3], ids[4]])
        try folder.sql("UPDATE frame SET pinned = 1")
        let full = try await spool.refusal(of: still(day: 5))
        #expect(full.code == .spoolFull && full.remedy.contains("unpin"))
        #expect(full.detail.contains("maxFrames 3") && full.detail.contains("pinned"))
        try expectAgreement(folder)
        try folder.sql("UPDATE frame SET pinned = 0 WHERE id = \(ids[4].sql)")
        let next = try await spool.store(still(day: 5), durability: .full, until: soon)
        #expect(try folder.ids() == [ids[2], ids[3], next.id])
        try expectAgreement(folder)
    }

    @Test func `a picture above maxBytes removes nothing`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxBytes: 2 * picture.count))
        try await fill(spool, folder, [still(day: 0)])
        var large = still(day: 1)
        large.picture += [UInt8](repeating: 0, count: 2 * picture.count)
        let refused = try await spool.refusal(of: large, durability: .none)
        #expect(refused.code == .spoolFull && refused.detail.contains("alone"))
        #expect(try folder.ids().count == 1)
    }

    @Test func `concurrent stores end within the limit`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxFrames: 20))
        // Each into the folder of another day.
        try await spool.fillAtOnce((0..<60).map { $0 * 86_400 }, durability: .data)
        // Concurrent stores may exceed the limit for a moment.
        _ = try await spool.retention(dryRun: false, at: clocks(.zero), until: soon)
        #expect(try folder.ids().count == 20)
        try expectAgreement(folder)
    }

    @Test func `minFree removes the oldest pictures`() async throws {
        let least = 400_000
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(minFree: UInt64(least)), files: disk)
        let ids = try await fill(spool, folder, (0..<6).map { still(day: $0) })
        // 3,000 bytes are missing, plus a hundredth of the minimum: two files of one block each.
        disk.freeBytes = picture.count + Int(WriteQueue.reserve) + least - 3000
        let next = try await spool.store(still(day: 6), durability: .full, until: soon)
        #expect(try folder.ids() == ids.dropFirst(2) + [next.id])
        try expectAgreement(folder)
        // No picture is removed if even all of them would not be enough.
        disk.freeBytes = 0
        #expect(try await spool.refusal(of: still(day: 7), durability: .none).code == .spoolFull)
        #expect(try await spool.retention(dryRun: false, at: clocks(.zero), until: soon).frames == 0)
        #expect(try folder.ids() == ids.dropFirst(2) + [next.id])
        disk.freeBytes = 64 << 20
        _ = try await spool.store(still(day: 8), durability: .none, until: soon)
    }

    @Test func `removes no picture for space without minFree`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxAge: day), files: disk)
        try await fill(spool, folder, [still(day: 0)])
        disk.freeBytes = 4096
        #expect(try await spool.refusal(of: still(day: 1), durability: .none).code == .spoolFull)
        #expect(try folder.ids().count == 1)
    }

    @Test func `a background pass frees space for minFree`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(minFree: 10 << 20), files: disk)
        let ids = try await fill(spool, folder, (0..<6).map { still(day: $0) })
        disk.freeBytes = (10 << 20) - 8192
        let report = try await spool.retention(dryRun: false, at: clocks(.zero), until: soon)
        #expect(report.victims.map(\.id) == [ids[0], ids[1]])
        #expect(report.victims.allSatisfy { $0.rule == "minFree" })
    }

    @Test(arguments: [365, -365])
    func `a clock step of a year suspends retention by age until confirmed`(_ days: Int) async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxAge: day * 30, maxFrames: 5))
        // Some are from the coming year, for a clock that goes back.
        let ids = try await fill(spool, folder, [-400, -1, 0, 364].map { still(day: $0) })
        _ = try await spool.retention(dryRun: false, at: clocks(.zero, isSynchronized: false), until: soon)
        #expect(try folder.ids().count == 4)
        let at = clocks(.seconds(60), step: day * days)
        let withheld = try await spool.retention(dryRun: false, at: at, until: soon)
        #expect(withheld.withheld?.contains(days > 0 ? "forward by 365 d" : "back by 365 d") == true)
        #expect(withheld.frames == 0)
        await spool.close(until: soon)
        // A restart or a dry run changes nothing.
        let again = try await folder.open(RetentionSettings(maxAge: day * 30, maxFrames: 5))
        let after = try await again.retention(dryRun: false, at: at, until: soon)
        #expect(after.withheld != nil && after.frames == 0)
        let told = try await again.retention(dryRun: true, confirm: true, at: at, until: soon)
        #expect(told.withheld == nil)
        #expect(told.victims.map(\.id) == (days > 0 ? Array(ids.prefix(3)) : [ids[0]]))
        #expect(try await again.retention(dryRun: true, at: at, until: soon).withheld != nil)
        // Limits by insertion order still apply.
        _ = try await again.store(still(day: 1), durability: .none, until: soon)
        _ = try await again.store(still(day: 2), durability: .none, until: soon)
        #expect(try folder.ids().count == 5 && !folder.ids().contains(ids[0]))
        let confirmed = try await again.retention(dryRun: false, confirm: true, at: at, until: soon)
        #expect(confirmed.withheld == nil)
        #expect(confirmed.victims.map(\.id) == (days > 0 ? [ids[1], ids[2]] : []))
    }

    @Test func `only a real run confirms the clock permanently`() async throws {
        let settings = RetentionSettings(maxAge: day * 30)
        let (folder, spool) = try await SpoolFolder.opened(settings)
        try await fill(spool, folder, [still(day: 0)])
        _ = try await spool.retention(dryRun: false, at: clocks(.zero), until: soon)
        var at = clocks(.seconds(60), step: day * 365)
        #expect(try await spool.retention(dryRun: false, at: at, until: soon).withheld != nil)
        for isSynchronized in [true, false] {
            at.isSynchronized = isSynchronized
            _ = try await spool.retention(dryRun: true, confirm: true, at: at, until: soon)
        }
        at.isSynchronized = true
        #expect(try await spool.retention(dryRun: false, at: at, until: soon).withheld != nil)
        #expect(try await spool.retention(dryRun: false, confirm: true, at: at, until: soon).frames == 1)
        await spool.close(until: soon)
        let again = try await folder.open(settings)
        try await fill(again, folder, [still(day: 1)])
        let report = try await again.retention(dryRun: false, at: at, until: soon)
        #expect(report.withheld == nil && report.frames == 1)
    }

    @Test func `removes nothing by age while the clock is unsynchronised`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxAge: day))
        try await fill(spool, folder, [still(day: 0), still(day: 1)])
        let at = clocks(day * 5, isSynchronized: false)
        let withheld = try await spool.retention(dryRun: false, confirm: true, at: at, until: soon)
        #expect(withheld.withheld?.contains("not synchronised") == true && withheld.frames == 0)
    }

    @Test func `a picture of an unsynchronised clock has no age`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxAge: day))
        let ids = try await fill(spool, folder, [still(day: 0), still(day: 1)])
        try folder.sql("UPDATE frame SET isClockSynchronized = 0 WHERE id = \(ids[0].sql)")
        let report = try await spool.retention(dryRun: false, at: clocks(day * 5), until: soon)
        #expect(report.withheld == nil)
        #expect(report.victims.map(\.id) == [ids[1]])
    }

    /// Runs a background pass at this age.
    private func pass(_ spool: SpoolStore, _ age: Duration) async throws -> RetentionReport {
        try await spool.retention(dryRun: false, isQuick: true, at: clocks(age), until: soon)
    }

    @Test func `a background pass scans all pictures once an hour`() async throws {
        let rules = [try rule(30, "tag:alarm")]
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(rules: rules, maxAge: day * 7))
        try await fill(spool, folder, [still(day: 0, tags: ["alarm"]), still(day: 1), still(day: 2)])
        #expect(try await pass(spool, day * 8 + .seconds(1)).frames == 1)
        // A picture that loses its tag expired long ago: a quick pass does not see it.
        try folder.sql("UPDATE frame SET tags = NULL")
        #expect(try await pass(spool, day * 8 + .seconds(60)).frames == 0)
        #expect(try await pass(spool, day * 8 + .seconds(3605)).frames == 1)
        #expect(try await pass(spool, day * 9 + .seconds(1)).frames == 1)
        #expect(try folder.ids().isEmpty)
    }

    @Test func `changed rules apply to old pictures from the next pass`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxAge: day * 7))
        try await fill(spool, folder, [still(day: 0), still(day: 3), still(day: 6)])
        #expect(try await pass(spool, day * 6).frames == 0)
        spool.use(folder.configuration(RetentionSettings(maxAge: day * 2)))
        #expect(try await pass(spool, day * 6 + .seconds(60)).frames == 2)
        spool.use(folder.configuration)
        #expect(try await pass(spool, day * 60).frames == 0)
        #expect(try folder.ids().count == 1)
    }

    @Test func `a background pass ends despite expired pictures that are pinned`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxAge: day * 7))
        let ids = try await fill(spool, folder, [0, 30, 31, 90].map { TintypeSpoolTests.still($0) })
        try folder.sql("UPDATE frame SET pinned = 1 WHERE id = \(ids[1].sql)")
        // The first pass covers all pictures, the second only those expired since.
        for (age, left) in [(1, [1, 2, 3]), (40, [1, 3])] {
            let report = try await pass(spool, day * 7 + .seconds(age))
            #expect(report.withheld == nil && report.frames == 1)
            #expect(try folder.ids() == left.map { ids[$0] })
        }
    }

    @Test func `rows without files expire like pictures`() async throws {
        let (folder, first) = try await SpoolFolder.opened()
        let ids = try await fill(first, folder, (0..<4).map { still(day: $0) })
        await first.close(until: soon)
        try folder.remove(try folder.pictures()[0])
        let spool = try await folder.open(RetentionSettings(maxFrames: 2))
        let report = try await spool.retention(dryRun: false, at: clocks(.zero), until: soon)
        #expect(report.frames == 2 && report.bytes == picture.count)
        #expect(try folder.ids() == [ids[2], ids[3]])
    }

    @Test func `an old spool on a new machine is not emptied`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxAge: day * 30))
        try await fill(spool, folder, [still(day: 0)])
        let report = try await spool.retention(dryRun: false, at: clocks(day * 700, boot: "other"), until: soon)
        #expect(report.withheld?.contains("forward by 700 d") == true && report.frames == 0)
    }
}
