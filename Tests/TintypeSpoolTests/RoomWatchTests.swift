// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

@Suite struct RoomWatchTests {
    private let folder = SpoolFolder()
    private let disk = SmallDisk(free: 64 << 20, isLate: true)
    private let rules = RetentionSettings(minFree: 10 << 20)

    private func moment(_ seconds: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + .seconds(1000 + seconds) }

    /// A watch of a spool with 80 MiB of pictures.
    private var watch: RoomWatch {
        var watch = RoomWatch()
        watch.total = 80 << 20
        return watch
    }

    private static let mebibyte = 1 << 20

    @Test func `space that is freed late counts as free in the meantime`() {
        var watch = watch
        let six = 6 * Self.mebibyte
        watch.noteDeleted(six, before: 1000, after: 1000, at: moment(0))
        #expect(watch.pending(at: moment(1)) == six && watch.allowance == 4 * Self.mebibyte)
        watch.noteDeleted(six, before: 1000, after: 1000, at: moment(2))
        #expect(watch.pending(at: moment(3)) == 2 * six && watch.isExhausted && watch.allowance == 0)
        // Pictures stored in the meantime.
        watch.noteStored(500)
        _ = watch.look(500, at: moment(20))
        #expect(watch.isExhausted && !watch.isIneffective)
        _ = watch.look(500 + 2 * six, at: moment(30))
        #expect(!watch.isExhausted && watch.pending(at: moment(30)) == 0 && watch.allowance == 40 * Self.mebibyte)
    }

    @Test func `stops removing for a day if no space is freed`() {
        var watch = watch
        watch.noteDeleted(4000, before: 1000, after: 1000, at: moment(0))
        // Reported once.
        let told = [59, 60, 61].map { watch.look(1000, at: moment($0)) }
        #expect(told == [false, true, false])
        #expect(watch.isIneffective && watch.isExhausted && watch.pending(at: moment(61)) == 0)
        var other = watch
        _ = watch.look(3000, at: moment(100))
        #expect(!watch.isIneffective && !watch.isExhausted)
        _ = other.look(1000, at: moment(86_399))
        #expect(other.isIneffective)
        _ = other.look(1000, at: moment(86_400))
        #expect(!other.isIneffective && !other.isExhausted)
    }

    /// A picture of 15 blocks.
    private static let large = [UInt8](picture.dropLast(2) + [UInt8](repeating: 0, count: 60_000) + [0xFF, 0xD9])
    private static let size = RetentionExcess.onDisk(large.count)

    @Test func `waits for freed space before removing more`() async throws {
        try await folder.filled(0..<40)
        let spool = try await folder.open(rules, files: disk, clock: TestClock())
        disk.freeBytes = (10 << 20) - 2 * 4096
        for pass in 0..<3 {
            let report = try await spool.retention(dryRun: false, at: clocks(.zero), until: soon)
            #expect(report.frames == (pass == 0 ? 2 : 0))
        }
        // The freed space shows, and another program takes as much.
        disk.freeBytes = 10 << 20
        #expect(try await spool.retention(dryRun: false, at: clocks(.zero), until: soon).frames == 0)
        disk.freeBytes = (10 << 20) - 4096
        #expect(try await spool.retention(dryRun: false, at: clocks(.zero), until: soon).frames == 1)
        #expect(try folder.pictures().count == 37)
    }

    @Test func `removes at most 1 MiB if deleting frees no space`() async throws {
        try await folder.filled(0..<80, picture: Self.large)
        let spool = try await folder.open(rules, files: disk, clock: TestClock())
        disk.freeBytes = (10 << 20) - 30 * Self.size
        for _ in 0..<3 { _ = try await spool.retention(dryRun: false, at: clocks(.zero), until: soon) }
        try await spool.fill(100..<110, picture: Self.large, durability: .full)
        let count = try folder.pictures().count
        #expect(count >= 90 - Self.mebibyte / Self.size - 2 && count < 90, "\(count)")
    }

    @Test func `refuses stills if deleting freed no space for a minute`() async throws {
        try await folder.filled(0..<80, picture: Self.large)
        let (clock, log) = (TestClock(), MessageLog())
        let spool = try await folder.open(rules, files: disk, clock: clock, logger: log.logger)
        disk.freeBytes = (10 << 20) - Self.size
        #expect(try await spool.retention(dryRun: false, at: clocks(.zero), until: soon).frames == 1)
        try await clock.sleep(for: RoomWatch.timeLimit)
        #expect(try await spool.retention(dryRun: false, at: clocks(.zero), until: soon).frames == 0)
        #expect(log.errors.count { $0.contains("has not become free") } == 1)
        let full = try await spool.refusal(of: still(100, picture: Self.large))
        #expect(full.code == .spoolFull && full.detail.contains("has not become free"), "\(full)")
        #expect(try folder.pictures().count == 79)
    }
}
