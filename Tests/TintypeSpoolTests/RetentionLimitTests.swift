// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Number of pictures examined to make room for a still, and limits during a rebuild.
@Suite struct RetentionLimitTests {
    private let folder = SpoolFolder()
    private let disk = SmallDisk(free: 64 << 20)

    @Test func `a camera's limit scans neither other cameras nor pinned pictures`() async throws {
        let door = RetentionSettings(maxFrames: 9010)
        let spool = try await folder.open(cameras: ["door": door])
        let (steps, gone) = try await spool.storage.perform("be tried", until: soon) { spool throws(Problem) in
            let others = (0..<9000).map { FrameRow($0, camera: "yard") }
            let pinned = (9000..<18_000).map { FrameRow($0, isPinned: true) }
            let own = (18_000..<18_015).map { FrameRow($0) }
            let rows = others + pinned + own
            // Each statement has a limit of time.
            for start in stride(from: 0, to: rows.count, by: 2000) {
                let part = Array(rows[start..<min(start + 2000, rows.count)])
                try spool.catalog.insert(part, isDurable: false, at: noon)
            }
            var pass = RetentionPass(
                plan: spool.retention.plan,
                now: .now(),
                phase: .limits(after: nil),
                report: RetentionReport(spool: "default", isDryRun: false),
                countsPins: false
            )
            var steps = 0
            while !pass.isDone {
                try spool.retention.advance(&pass)
                steps += 1
            }
            return (steps, pass.report.victims.map(\.id) == own.prefix(5).map(\.id))
        }
        #expect(steps <= 2 && gone, "\(steps) steps")
    }

    @Test func `limits wait until the catalog is rebuilt`() async throws {
        try await folder.filled(0..<6)
        try folder.remove("catalog.sqlite")
        let configuration = folder.configuration(RetentionSettings(maxFrames: 3))
        // Interrupted before the folders are scanned, and restarted.
        var stored: [FrameID] = []
        for start in 0..<2 {
            let spool = try await SpoolStore.open(configuration, files: disk)
            stored += try await spool.fill((100 + 10 * start)..<(103 + 10 * start), durability: .full).map(\.id)
            #expect(try await spool.retention(dryRun: false, at: clocks(.zero), until: soon).frames == 0)
            await spool.close(until: soon)
        }
        #expect(try folder.pictures().count == 12 && folder.ids() == stored)
        let spool = try await SpoolStore.open(configuration, files: disk)
        try await spool.keep()
        #expect(try folder.ids() == Array(stored.suffix(3)))
        let next = try await spool.store(still(200), durability: .full, until: soon).id
        #expect(try folder.ids() == stored.suffix(2) + [next])
    }

    @Test func `stores below minFree while the catalog is rebuilt`() async throws {
        try await folder.filled(0..<6)
        try folder.remove("catalog.sqlite")
        let configuration = folder.configuration(RetentionSettings(minFree: 10 << 20))
        let spool = try await SpoolStore.open(configuration, files: disk)
        disk.freeBytes = (10 << 20) - 4096
        try await spool.fill(10..<13, durability: .full)
        #expect(try folder.pictures().count == 9)
    }
}
