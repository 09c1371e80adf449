// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeThreads

@testable internal import TintypeSpool

/// A spool that is closed and opened again, with another catalog, while it is compared or looked after.
@Suite struct ReopenedTests {
    /// A comparison that is held up before its first file until somebody has come upon the damage.
    private func damageMeanwhile(
        _ folder: SpoolFolder,
        _ retention: RetentionSettings = RetentionSettings(),
        messages: MessageLog = MessageLog(),
        _ work: @escaping @Sendable (Spool) async throws -> Void
    ) async throws -> [FrameID] {
        let (ids, broken) = try await DamagedSpool.fill(folder)
        try folder.write(picture, to: "yard/2025/01/02/030405.000006Z-000000007.jpg")
        let files = HookedFiles()
        let (reached, gate) = (Signal(), DispatchSemaphore(value: 0))
        // The walk lists that folder first.
        files.beforeListing("/yard/2025/01/02") {
            reached.raise()
            gate.wait()
        }
        var configuration = folder.configuration
        configuration.retention = retention
        let spool = try await Spool.open(configuration, logger: messages.logger, files: files, until: soon)
        async let done: Void = work(spool)
        try await eventually("the walk has begun") { reached.isRaised }
        let told = await #expect(throws: Problem.self) { try await spool.frame(broken, until: soon) }
        #expect(told?.code == .spoolUnavailable)
        gate.signal()
        try await done
        await spool.close(until: soon)
        return ids
    }

    @Test func `damage that shows while files and catalog are compared costs no pin and no tag`() async throws {
        let folder = try SpoolFolder()
        let messages = MessageLog()
        let ids = try await damageMeanwhile(folder, messages: messages) { _ = try await $0.verify(until: soon) }
        try DamagedSpool.expectRebuilt(folder, ids, messages, others: 1)
    }

    @Test func `pictures that are pinned outlast the retention that follows`() async throws {
        let folder = try SpoolFolder()
        let ids = try await damageMeanwhile(folder, RetentionSettings(maxFrames: 10)) { try await $0.keep() }
        let pinned = [ids[1], ids[DamagedSpool.count - 2]].map(\.description).sorted()
        #expect(try folder.sql("SELECT \(idText) FROM frame WHERE pinned ORDER BY id") == pinned)
        #expect(try folder.pictures().count == 10)
        #expect(try folder.sql("SELECT path FROM frame WHERE NOT isLost ORDER BY path") == folder.pictures())
    }

    @Test func `retention that is interrupted by it begins anew with what it finds then`() async throws {
        let folder = try SpoolFolder()
        let first = try await folder.open()
        var ids: [FrameID] = []
        for number in 0..<60 { ids.append(try await first.store(still(number), durability: .none, until: soon).id) }
        await first.close(until: soon)
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
        #expect(try folder.sql("SELECT \(idText) FROM frame WHERE pinned") == [ids[0].description])
        #expect(try folder.sql("SELECT \(idText) FROM frame ORDER BY id") == ([ids[0]] + ids[51...]).map(\.description))
        #expect(try folder.pictures().count == 10)
        try DamagedSpool.expectSetAside(folder, 1)
    }
}

/// Something that has happened, or not yet.
private final class Signal: Sendable {
    private let value = Mutex(false)

    var isRaised: Bool { value.withLock(\.self) }

    func raise() { value.withLock { $0 = true } }
}
