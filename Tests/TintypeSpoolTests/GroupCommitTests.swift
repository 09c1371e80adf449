// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct GroupCommitTests {
    private let folder = SpoolFolder()
    private let files = NotedFiles()

    /// Stores `count` stills at once; the first is held at the flush of its folder until all others are written.
    private func storeAtOnce(_ count: Int, _ spool: SpoolStore, cameras: [String] = ["door"]) async throws
        -> [StillRecord]
    {
        files.hold()
        return try await spool.fillAtOnce(0..<count, cameras: cameras) {
            try await eventually("all are written") { files.pictureFlushes == count }
            try await spool.finishWriting()
            files.release()
        }
    }

    @Test func `waiting stills share a folder flush and a transaction`() async throws {
        let spool = try await folder.open(files: files)
        _ = try await spool.store(still(500), durability: .full, until: soon)
        // Sequential stills cost a flush and a transaction each.
        let before = try folder.size("catalog.sqlite-wal")
        try await spool.fill(600..<632, durability: .full)
        let alone = try folder.size("catalog.sqlite-wal") - before
        let records = try await storeAtOnce(32, spool)
        let together = try folder.size("catalog.sqlite-wal") - before - alone
        #expect(files.pictureFlushes == 32)
        // One flush for the held still, and one for all that came meanwhile.
        #expect(Set(files.flushed) == ["\(folder.path)/door/2026/11/21"])
        #expect((1...2).contains(files.flushed.count))
        #expect(together > 0 && together * 3 < alone, "\(together) bytes of log together, \(alone) alone")
        for record in records {
            #expect(record.stored == .durable)
            #expect(try await spool.picture(of: record.id, until: soon) == picture)
        }
        #expect(try folder.sql("SELECT count(*) FROM frame") == ["65"])
        #expect(try folder.names(in: ".incoming").isEmpty)
    }

    @Test func `a group commit updates latest.jpg of every camera`() async throws {
        let spool = try await folder.open(files: files)
        let cameras = ["door", "yard", "roof"]
        for camera in cameras { _ = try await spool.store(still(camera: camera), durability: .full, until: soon) }
        let records = try await storeAtOnce(30, spool, cameras: cameras)
        for camera in cameras {
            let target = try folder.target("\(camera)/latest.jpg")
            // Concurrent stills: any of them may have been the last, but not the one before.
            #expect(records.contains { $0.path == "\(folder.path)/\(camera)/\(target)" && $0.camera == camera })
        }
    }

    @Test func `an older still stored later does not become latest.jpg`() async throws {
        let spool = try await folder.open()
        for (moment, isShown) in [(5, true), (4, false), (6, true), (5, false)] {
            var still = still(10 * moment)
            still.record.capturedMonotonicNs = Int64(moment)
            let record = try await spool.store(still, durability: .data, until: soon)
            #expect(try (record.path == "\(folder.path)/door/\(folder.target())") == isShown, "\(moment)")
        }
    }

    @Test func `a still without a flush is answered before its group is flushed`() async throws {
        let spool = try await folder.open(files: files)
        _ = try await spool.store(still(500), durability: .full, until: soon)
        // A group forms while this still is held at the flush of its folder.
        files.hold()
        async let first = spool.store(still(0), durability: .full, until: soon)
        try await eventually("the first is held up") { !files.flushed.isEmpty }
        files.hold()
        async let quick = spool.store(still(1), durability: .none, until: soon)
        try await eventually("the second is written") { spool.writes.isCommitPending }
        async let slow = spool.store(still(2), durability: .full, until: soon)
        try await eventually("the third is written") { files.pictureFlushes == 1 }
        files.release()
        _ = try await first
        try await eventually("the group is held up, too") { !files.flushed.isEmpty }
        #expect(try await quick.stored == .written)
        files.release()
        #expect(try await slow.stored == .durable)
        #expect(try folder.sql("SELECT count(*) FROM frame") == ["4"])
    }

    @Test func `a failed row fails only its own still of a group`() async throws {
        let spool = try await folder.open(files: files)
        _ = try await spool.store(still(500), durability: .full, until: soon)
        try folder.refuse("INSERT ON frame", when: "NEW.sequence = 1237")
        files.hold()
        let (_, problems) = try await spool.storeAtOnce(0..<8) {
            try await eventually("all are written") { files.pictureFlushes == 8 }
            files.release()
        }
        #expect(problems.keys.sorted() == [3])
        #expect(problems[3]?.detail.contains("refused") == true)
        #expect(try folder.pictures().count == 8)
        #expect(try folder.sql("SELECT count(*) FROM frame") == ["8"])
        #expect(try folder.bytes("door/latest.jpg") == picture)
    }

    @Test func `latest.jpg shows the newest still of a group that has a row`() async throws {
        let spool = try await folder.open(files: files)
        try folder.refuse("INSERT ON frame", when: "NEW.sequence = 1237")
        // The two others form a group while this still is held at the flush of its folder.
        files.hold()
        async let first = spool.store(still(1), durability: .full, until: soon)
        try await eventually("the first is held up") { !files.flushed.isEmpty }
        async let older = spool.store(still(2), durability: .full, until: soon)
        try await eventually("the second is written") { files.pictureFlushes == 2 }
        let newer = Task { try await spool.store(still(3), durability: .full, until: soon) }
        try await eventually("the third is written") { files.pictureFlushes == 3 }
        files.release()
        _ = try await first
        #expect(await problem { try await newer.value }?.detail.contains("refused") == true)
        #expect(try await older.path == "\(folder.path)/door/\(folder.target())")
        #expect(try folder.names(in: ".incoming").isEmpty)
    }
}
