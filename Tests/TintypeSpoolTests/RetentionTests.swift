// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// What goes by itself, why, and when not.
@Suite struct RetentionTests {
    private let disk = SmallDisk(free: 64 << 20)

    /// A still of `day` days after ``noon``.
    private func still(day: Int, camera: String = "door", tags: [String]? = nil, verdict: Verdict? = nil) -> Still {
        TintypeSpoolTests.still(day * 86_400, camera: camera, tags: tags, verdict: verdict)
    }

    @discardableResult
    private func fill(_ spool: Spool, _ folder: SpoolFolder, _ stills: [Still]) async throws -> [FrameID] {
        let ids = try await spool.fill(stills).map(\.id)
        try folder.believeTimes()
        return ids
    }

    /// Folder and catalog agree, and nothing of what has gone is left but its tombstone.
    private func expectAgreement(_ folder: SpoolFolder) throws {
        #expect(try folder.pictures() == folder.paths())
        #expect(try folder.names(in: ".incoming").allSatisfy { $0 == "clock" })
    }

    /// Holds what is done against what a dry run has told of it.
    private func expectDone(_ told: RetentionReport, in spool: Spool, at clocks: ClockReading) async throws {
        var done = try await spool.retention(dryRun: false, at: clocks, until: soon)
        #expect(!done.isDryRun)
        done.isDryRun = true
        #expect(done == told)
    }

    @Test func `pictures go by the longest rule that they fit, all others by their age`() async throws {
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

    @Test func `pinned pictures never go, and it is told how many would`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxAge: day, maxFrames: 3))
        let ids = try await fill(spool, folder, (0..<3).map { still(day: $0) })
        try folder.sql("UPDATE frame SET pinned = 1 WHERE id = \(ids[0].sql)")
        let report = try await spool.retention(dryRun: false, at: clocks(day * 2 + .seconds(5)), until: soon)
        #expect(report.keptByPin == 1)
        #expect(report.victims.map(\.id) == [ids[1]])
        #expect(try folder.ids() == [ids[0], ids[2]])
    }

    @Test func `limits let go what was stored first, over all and for one camera`() async throws {
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

    @Test func `a dry run tells the same with ages and limits together`() async throws {
        let (folder, first) = try await SpoolFolder.opened()
        let ids = try await fill(first, folder, (0..<12).map { still(day: $0, tags: $0 % 3 == 0 ? ["alarm"] : nil) })
        await first.close(until: soon)
        let rules = [try rule(365, "tag:alarm")]
        let spool = try await folder.open(RetentionSettings(rules: rules, maxAge: day * 5, maxFrames: 4))
        let at = clocks(day * 12)
        let told = try await spool.retention(dryRun: true, at: at, until: soon)
        try await expectDone(told, in: spool, at: at)
        // By age all but the alarms up to day 7, then the oldest of the eight that are left until there are four.
        #expect(Set(told.victims.map(\.rule)) == ["maxAge 5d", "maxFrames 4"])
        #expect(try folder.ids() == Array(ids.suffix(4)))
    }

    @Test func `before a picture is stored, the oldest make place for it, and pins refuse it`() async throws {
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

    @Test func `a picture that alone is too large lets nothing go`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxBytes: 2 * picture.count))
        try await fill(spool, folder, [still(day: 0)])
        var large = still(day: 1)
        large.picture += [UInt8](repeating: 0, count: 2 * picture.count)
        let refused = try await spool.refusal(of: large, durability: .none)
        #expect(refused.code == .spoolFull && refused.detail.contains("alone"))
        #expect(try folder.ids().count == 1)
    }

    @Test func `many that come at once are not more than the limit`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxFrames: 20))
        // Each into the folder of a day of its own.
        try await spool.fillAtOnce((0..<60).map { $0 * 86_400 }, durability: .data)
        // For that moment there may be more by as many as came together.
        _ = try await spool.retention(dryRun: false, at: clocks(.zero), until: soon)
        #expect(try folder.ids().count == 20)
        try expectAgreement(folder)
    }

    @Test func `where a minimum of free space is configured, the oldest make room`() async throws {
        let least = 400_000
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(minFree: UInt64(least)), files: disk)
        let ids = try await fill(spool, folder, (0..<6).map { still(day: $0) })
        // 3,000 bytes too few, and a hundredth of the minimum more: two files of one block each.
        disk.freeBytes = picture.count + Int(StillWriter.reserve) + least - 3000
        let next = try await spool.store(still(day: 6), durability: .full, until: soon)
        #expect(try folder.ids() == ids.dropFirst(2) + [next.id])
        try expectAgreement(folder)
        // Where all of them together would not be enough, none goes for nothing.
        disk.freeBytes = 0
        #expect(try await spool.refusal(of: still(day: 7), durability: .none).code == .spoolFull)
        #expect(try await spool.retention(dryRun: false, at: clocks(.zero), until: soon).frames == 0)
        #expect(try folder.ids() == ids.dropFirst(2) + [next.id])
        disk.freeBytes = 64 << 20
        _ = try await spool.store(still(day: 8), durability: .none, until: soon)
    }

    @Test func `without a minimum of free space no picture goes for another`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxAge: day), files: disk)
        try await fill(spool, folder, [still(day: 0)])
        disk.freeBytes = 4096
        #expect(try await spool.refusal(of: still(day: 1), durability: .none).code == .spoolFull)
        #expect(try folder.ids().count == 1)
    }

    @Test func `free space is made in the background as well`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(minFree: 10 << 20), files: disk)
        let ids = try await fill(spool, folder, (0..<6).map { still(day: $0) })
        disk.freeBytes = (10 << 20) - 8192
        let report = try await spool.retention(dryRun: false, at: clocks(.zero), until: soon)
        #expect(report.victims.map(\.id) == [ids[0], ids[1]])
        #expect(report.victims.allSatisfy { $0.rule == "minFree" })
    }

    @Test(arguments: [365, -365])
    func `a step of the clock by a year lets nothing go by age until somebody confirms it`(_ days: Int) async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxAge: day * 30, maxFrames: 5))
        // Some of them from the year that is coming, for a clock that goes back.
        let ids = try await fill(spool, folder, [-400, -1, 0, 364].map { still(day: $0) })
        _ = try await spool.retention(dryRun: false, at: clocks(.zero, isSynchronized: false), until: soon)
        #expect(try folder.ids().count == 4)
        let at = clocks(.seconds(60), step: day * days)
        let withheld = try await spool.retention(dryRun: false, at: at, until: soon)
        #expect(withheld.withheld?.contains(days > 0 ? "forward by 365 d" : "back by 365 d") == true)
        #expect(withheld.frames == 0)
        await spool.close(until: soon)
        // Neither a restart nor a dry run changes that.
        let again = try await folder.open(RetentionSettings(maxAge: day * 30, maxFrames: 5))
        let after = try await again.retention(dryRun: false, at: at, until: soon)
        #expect(after.withheld != nil && after.frames == 0)
        let told = try await again.retention(dryRun: true, confirm: true, at: at, until: soon)
        #expect(told.withheld == nil)
        #expect(told.victims.map(\.id) == (days > 0 ? Array(ids.prefix(3)) : [ids[0]]))
        #expect(try await again.retention(dryRun: true, at: at, until: soon).withheld != nil)
        // Limits go on by id all the while.
        _ = try await again.store(still(day: 1), durability: .none, until: soon)
        _ = try await again.store(still(day: 2), durability: .none, until: soon)
        #expect(try folder.ids().count == 5 && !folder.ids().contains(ids[0]))
        let confirmed = try await again.retention(dryRun: false, confirm: true, at: at, until: soon)
        #expect(confirmed.withheld == nil)
        #expect(confirmed.victims.map(\.id) == (days > 0 ? [ids[1], ids[2]] : []))
    }

    @Test func `that the clock is right is said by no dry run, and outlasts a restart`() async throws {
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

    @Test func `nothing goes by age while the clock is not synchronised, and pictures of that time have no age`()
        async throws
    {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxAge: day))
        let ids = try await fill(spool, folder, [still(day: 0), still(day: 1)])
        try folder.sql("UPDATE frame SET isClockSynchronized = 0 WHERE id = \(ids[0].sql)")
        let at = clocks(day * 5, isSynchronized: false)
        let withheld = try await spool.retention(dryRun: false, confirm: true, at: at, until: soon)
        #expect(withheld.withheld?.contains("not synchronised") == true && withheld.frames == 0)
        let report = try await spool.retention(dryRun: false, at: clocks(day * 5), until: soon)
        #expect(report.withheld == nil)
        #expect(report.victims.map(\.id) == [ids[1]])
    }

    /// What a pass in the background lets go when the clocks say this.
    private func pass(_ spool: Spool, _ age: Duration) async throws -> RetentionReport {
        try await spool.retention(dryRun: false, isQuick: true, at: clocks(age), until: soon)
    }

    @Test func `a pass in the background takes what has become too old since the last, and all of it once an hour`()
        async throws
    {
        let rules = [try rule(30, "tag:alarm")]
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(rules: rules, maxAge: day * 7))
        try await fill(spool, folder, [still(day: 0, tags: ["alarm"]), still(day: 1), still(day: 2)])
        #expect(try await pass(spool, day * 8 + .seconds(1)).frames == 1)
        // What lost its tag is old since long: no quick pass sees it.
        try folder.sql("UPDATE frame SET tags = NULL")
        #expect(try await pass(spool, day * 8 + .seconds(60)).frames == 0)
        #expect(try await pass(spool, day * 8 + .seconds(3605)).frames == 1)
        #expect(try await pass(spool, day * 9 + .seconds(1)).frames == 1)
        #expect(try folder.ids().isEmpty)
    }

    @Test func `rules that are changed hold from the next pass on, for pictures that are old since long, too`()
        async throws
    {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxAge: day * 7))
        try await fill(spool, folder, [still(day: 0), still(day: 3), still(day: 6)])
        #expect(try await pass(spool, day * 6).frames == 0)
        spool.use(folder.configuration(RetentionSettings(maxAge: day * 2)))
        #expect(try await pass(spool, day * 6 + .seconds(60)).frames == 2)
        spool.use(folder.configuration)
        #expect(try await pass(spool, day * 60).frames == 0)
        #expect(try folder.ids().count == 1)
    }

    @Test func `a pass in the background comes to its end where pictures stay that have become too old`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxAge: day * 7))
        let ids = try await fill(spool, folder, [0, 30, 31, 90].map { TintypeSpoolTests.still($0) })
        try folder.sql("UPDATE frame SET pinned = 1 WHERE id = \(ids[1].sql)")
        // The first looks at all pictures, the second only at those that have become too old since.
        for (age, left) in [(1, [1, 2, 3]), (40, [1, 3])] {
            let report = try await pass(spool, day * 7 + .seconds(age))
            #expect(report.withheld == nil && report.frames == 1)
            #expect(try folder.ids() == left.map { ids[$0] })
        }
    }

    @Test func `rows whose files are gone go with the pictures of their time`() async throws {
        let (folder, first) = try await SpoolFolder.opened()
        let ids = try await fill(first, folder, (0..<4).map { still(day: $0) })
        await first.close(until: soon)
        try folder.remove(try folder.pictures()[0])
        let spool = try await folder.open(RetentionSettings(maxFrames: 2))
        let report = try await spool.retention(dryRun: false, at: clocks(.zero), until: soon)
        #expect(report.frames == 2 && report.bytes == picture.count)
        #expect(try folder.ids() == [ids[2], ids[3]])
    }

    @Test func `an old spool on a new machine is not emptied at once`() async throws {
        let (folder, spool) = try await SpoolFolder.opened(RetentionSettings(maxAge: day * 30))
        try await fill(spool, folder, [still(day: 0)])
        let report = try await spool.retention(dryRun: false, at: clocks(day * 700, boot: "other"), until: soon)
        #expect(report.withheld?.contains("forward by 700 d") == true && report.frames == 0)
    }
}
