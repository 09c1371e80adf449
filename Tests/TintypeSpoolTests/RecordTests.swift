// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSpool

@Suite struct RecordTests {
    private var full: Still {
        var still = still()
        still.record.settled = false
        still.record.verdict = .tolerated
        still.record.faults = [.notJPEG, .truncated]
        still.record.appearance = [.black, .frozen]
        still.record.tags = ["night", "door-2"]
        still.record.average = 4
        still.record.gapMs = Milliseconds(.microseconds(812_345))
        return still
    }

    @Test func `a stored record equals the reply after a restart`() async throws {
        let (folder, spool) = try await SpoolFolder.opened()
        var told = try await spool.store(full, durability: .full, until: soon)
        // Durations are part of the reply only.
        told.phasesMs = nil
        #expect(told.tags == ["night", "door-2"])
        #expect(try await spool.frame(told.id, until: soon).still == told)
        await spool.close(until: soon)
        let again = try await folder.open()
        #expect(try await again.frame(told.id, until: soon).still == told)
    }

    @Test func `the catalog records boot, wall clock and monotonic time of storing`() async throws {
        let clock = TestClock()
        let (folder, spool) = try await SpoolFolder.opened(clock: clock)
        let (wall, monotonic) = (clock.wall, clock.now)
        _ = try await spool.store(still(), durability: .full, until: soon)
        let end = (wall: clock.wall, monotonic: clock.now)
        let rows = try folder.sql("SELECT bootID, storedAt, storedMonotonicNs FROM frame")
        let row = try #require(rows.first).split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        try #require(row.count == 3)
        let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        #expect(row[0] == boot.trimmingCharacters(in: .newlines))
        let stored = try (wall: #require(Int64(row[1])), monotonic: #require(Int64(row[2])))
        #expect((wall.microseconds...end.wall.microseconds).contains(stored.wall))
        #expect((monotonic.nanoseconds...end.monotonic.nanoseconds).contains(stored.monotonic))
    }
}
