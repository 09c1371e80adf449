// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Stills and rule changes while a long removal is due.
@Suite struct RetentionTurnTests {
    private static let count = 300
    private let folder = SpoolFolder()

    /// Stores this number of pictures, oldest first, and closes the spool.
    private func filled(_ count: Int = Self.count) async throws -> [FrameID] {
        try await folder.filled(0..<count).map(\.id)
    }

    @Test(arguments: [RetentionSettings(maxFrames: 10), RetentionSettings(maxBytes: 10 * picture.count)])
    func `a lowered limit removes one picture per still`(_ settings: RetentionSettings) async throws {
        var expected = try await filled()
        let spool = try await folder.open(settings)
        for number in 0..<5 {
            let next = try await spool.store(still(1000 + number), durability: .full, until: soon).id
            expected = expected.dropFirst() + [next]
            #expect(try folder.ids() == expected)
        }
        try await spool.fillAtOnce(2000..<2020, durability: .data)
        #expect(try folder.ids().count == Self.count)
        #expect(try folder.paths() == folder.pictures())
        // A refusal names the pins that prevent removal.
        try folder.sql("UPDATE frame SET pinned = 1")
        let full = try await spool.refusal(of: still(3000))
        #expect(full.code == .spoolFull && full.detail.contains("pinned"))
        #expect(try folder.ids().count == Self.count)
        try folder.sql("UPDATE frame SET pinned = 0")
        let report = try await spool.retention(dryRun: false, at: clocks(.zero), until: soon)
        #expect(report.frames == Self.count - 10)
        #expect(try folder.ids().count == 10)
    }

    @Test func `a raised minFree removes one picture per still`() async throws {
        let ids = try await filled(40)
        let disk = SmallDisk(free: 64 << 20)
        let least = 10 << 20
        let spool = try await folder.open(RetentionSettings(minFree: UInt64(least)), files: disk)
        // Space for this number of files is missing for the picture, the reserve and the minimum.
        disk.freeBytes = least + Int(WriteQueue.reserve) - 30 * 4096
        let next = try await spool.store(still(1000), durability: .full, until: soon)
        #expect(try folder.ids() == ids.dropFirst() + [next.id])
    }

    @Test func `a still is committed between the steps of a pass`() async throws {
        _ = try await filled()
        let (files, hold) = (FaultyFiles(), Hold())
        let spool = try await folder.open(RetentionSettings(maxFrames: 10), files: files)
        // Records renames and removals of pictures; the first removal is held.
        let noted = Mutex<[String]>([])
        files.before { call in
            let isPicture = call.path.hasSuffix(".jpg") && !call.path.contains("/.incoming/")
            guard isPicture, call.verb == "rename" || call.verb == "remove" else { return nil }
            noted.withLock { $0.append(call.verb) }
            if call.verb == "remove" { hold.pass() }
            return nil
        }
        async let pass = spool.retention(dryRun: false, at: clocks(.zero), until: soon)
        try await hold.isReached()
        async let stored = spool.store(still(1000), durability: .full, until: soon)
        try await eventually("the still waits for its name") { spool.writes.isCommitPending }
        try await spool.finishWriting()
        hold.release()
        let report = try await pass
        let id = try await stored.id
        #expect(report.frames == Self.count - 10)
        let calls = noted.withLock(\.self)
        let turn = try #require(calls.firstIndex(of: "rename"))
        // The held step removes 16 pictures, and the commit of the still is queued behind it.
        #expect(turn < 150, "\(turn) of \(calls.count)")
        #expect(try folder.ids().count == 10 && folder.ids().last == id)
    }

    @Test func `a rule change ends the running pass`() async throws {
        let files = FaultyFiles()
        let spool = try await folder.open(RetentionSettings(maxAge: day * 10), files: files)
        try await spool.fill(0..<40)
        try await spool.fill((4 * 86_400)..<(4 * 86_400 + 3), camera: "yard")
        try folder.believeTimes()
        let other = folder.configuration(
            RetentionSettings(maxAge: day * 5),
            cameras: ["door": RetentionSettings(maxAge: day * 365)]
        )
        files.beforeRemoval { spool.use(other) }
        func pass(_ seconds: Int) async throws -> Int {
            let at = clocks(day * 10 + .seconds(seconds))
            return try await spool.retention(dryRun: false, isQuick: true, at: at, until: soon).frames
        }
        // One step removes 16 pictures.
        #expect(try await pass(60) == 16)
        // These pictures had expired under the new rules before the first pass.
        #expect(try await pass(70) == 3)
        #expect(try folder.sql("SELECT camera, count(*) FROM frame GROUP BY camera") == ["door|24"])
        // Breaks the reference cycle through the files.
        await spool.close(until: soon)
    }
}
