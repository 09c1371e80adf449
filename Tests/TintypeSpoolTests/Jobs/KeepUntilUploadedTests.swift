// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Retention of pictures that wait for an upload.
@Suite struct KeepUntilUploadedTests {
    private let folder = SpoolFolder()
    private let disk = SmallDisk(free: 64 << 20)
    private static let late = clocks(day * 2)

    private func open(_ retention: RetentionSettings, _ filter: String = "") async throws -> SpoolStore {
        var retention = retention
        retention.keepsUntilUploaded = true
        return try await folder.open(folder.configuration(uploads: [upload("site", filter)], retention), files: disk)
    }

    @discardableResult
    private func retain(_ spool: SpoolStore, dryRun: Bool = false) async throws -> [FrameID] {
        let report = try await spool.retention(dryRun: dryRun, at: Self.late, until: soon)
        return report.victims.map(\.id)
    }

    @Test(arguments: [RetentionSettings(maxAge: day), RetentionSettings(maxFrames: 1)])
    func `age and number delete only delivered pictures`(_ settings: RetentionSettings) async throws {
        let spool = try await open(settings)
        let ids = try await spool.fill(0..<5).map(\.id)
        try folder.believeTimes()
        #expect(try await retain(spool, dryRun: true).isEmpty)
        #expect(try await retain(spool).isEmpty)
        let job = try await spool.job()
        try await spool.record(job, done: [ids[3]], failures: [.init(ids[1], isFinal: true)])
        #expect(try await retain(spool, dryRun: true) == [ids[1], ids[3]])
        #expect(try await retain(spool) == [ids[1], ids[3]])
        #expect(try folder.ids() == [ids[0], ids[2], ids[4]])
        // The refused one.
        #expect(try await spool.job().lost == 1)
    }

    @Test func `without keepUntil, a picture that waits is deleted by age and counted`() async throws {
        let configuration = folder.configuration(uploads: [try upload()], RetentionSettings(maxAge: day))
        let spool = try await folder.open(configuration)
        try await spool.fill(0..<2)
        try folder.believeTimes()
        #expect(try await retain(spool).count == 2)
        #expect(try await spool.job().lost == 2)
        #expect(try await spool.job().waiting == 0)
    }

    @Test func `bytes delete delivered pictures first, then the oldest that wait, and count them`() async throws {
        let spool = try await open(RetentionSettings(maxBytes: 3 * picture.count + 50), "camera:door")
        let ids = try await spool.fill(0..<2).map(\.id)
        let yard = try await spool.fill([2], camera: "yard")[0].id
        // Room for each new picture.
        let next = try await spool.fill(3..<5).map(\.id)
        #expect(try !folder.ids().contains(yard))
        #expect(try folder.ids() == [ids[1]] + next)
        #expect(try await spool.job().lost == 1)
        try await spool.record(spool.job(), done: [next[0]])
        let last = try await spool.fill([5])[0].id
        let left = try folder.ids()
        #expect(left == [ids[1], next[1], last], "\(left) \(ids) \(next)")
        #expect(try await spool.job().lost == 1)
    }

    @Test func `lower bytes in the background delete waiting pictures last`() async throws {
        let spool = try await open(RetentionSettings(), "camera:door")
        let ids = try await spool.fill(0..<3).map(\.id)
        try await spool.fill(3..<5, camera: "yard")
        var settings = RetentionSettings(maxFrames: 1, maxBytes: 2 * picture.count)
        settings.keepsUntilUploaded = true
        spool.use(folder.configuration(uploads: [try upload("site", "camera:door")], settings))
        #expect(try await retain(spool, dryRun: true).count == 3)
        #expect(try await retain(spool).count == 3)
        #expect(try folder.ids() == Array(ids.suffix(2)))
        #expect(try await spool.job().lost == 1)
    }

    @Test func `the number of pictures that wait refuses no new one`() async throws {
        let spool = try await open(RetentionSettings(maxFrames: 2))
        let ids = try await spool.fill(0..<6, durability: .full).map(\.id)
        try await retain(spool)
        #expect(try folder.ids() == ids)
    }

    @Test func `minFree deletes delivered pictures first`() async throws {
        let spool = try await open(RetentionSettings(minFree: 10 << 20))
        let ids = try await spool.fill(0..<4).map(\.id)
        try await spool.record(spool.job(), done: [ids[2]])
        disk.freeBytes = (10 << 20) - 4096
        try await retain(spool)
        #expect(try folder.ids() == [ids[0], ids[1], ids[3]])
        #expect(try await spool.job().lost == 0)
        disk.freeBytes = (10 << 20) - 4096
        try await retain(spool)
        #expect(try folder.ids() == [ids[1], ids[3]])
        #expect(try await spool.job().lost == 1)
    }

    @Test func `pictures that are known to wait are not examined for each new one`() async throws {
        let spool = try await open(RetentionSettings(maxBytes: 1 << 40))
        let steps = try await spool.storage.perform("be tried", until: soon) { spool throws(Problem) in
            let rows = (0..<3000).map { FrameRow($0, bytes: 1 << 20) }
            try spool.catalog.insert(rows, isDurable: false, at: noon)
            var counts: [Int] = []
            for _ in 0..<2 {
                var pass = RetentionPass(
                    plan: spool.retention.plan,
                    now: .now(),
                    phase: .limits(after: nil),
                    excess: RetentionExcess(spool.retention.plan, totals: [:], files: 1),
                    report: RetentionReport(spool: "default", isDryRun: false),
                    countsPins: false
                )
                var count = 0
                while !pass.isDone {
                    try spool.retention.advance(&pass)
                    count += 1
                }
                counts.append(count)
            }
            return counts
        }
        #expect(steps[0] > 6 && steps[1] <= 4, "\(steps) steps")
    }
}
