// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Disks that fail and come back, without a restart.
@Suite struct RecoveryTests {
    private let clock = TestClock()
    private let folder = SpoolFolder()
    private let files = FaultyFiles()
    private let messages = MessageLog()

    /// Runs `body` while the spool opens itself again.
    private func running(_ spool: Spool, _ body: () async throws -> Void) async throws {
        // Cancelled and awaited when the body has ended.
        async let _ = spool.run()
        try await body()
    }

    @Test(arguments: [EROFS, EIO, ENXIO])
    func `a disk that goes bad is a state with its reason, let go of, and used again by itself`(
        _ code: Int32
    ) async throws {
        let spool = try await folder.open(files: files, clock: clock, logger: messages.logger)
        let before = try await spool.store(still(), durability: .full, until: soon)
        #expect(spool.state == .available)
        #expect(try await spool.picture(of: before.id, until: soon) == picture)
        files.refuse(code)
        let refused = try await spool.refusal(of: still(1))
        #expect(refused.code == .spoolUnavailable)
        #expect(refused.detail.contains(folder.path) && !refused.remedy.isEmpty)
        #expect(await clock.reaches { spool.state.name == .unavailable })
        #expect(spool.state.reason?.code == .spoolUnavailable)
        // Nothing of it is held: it could be unmounted and mended.
        #expect(try folder.openPaths().isEmpty)
        // One that asks finds that it is still so, and from then on it is told when the next attempt is due.
        let told = try #require(try await spool.refusal(of: still(2)).retryAfterMs)
        #expect(told.duration > .zero && told.duration <= .seconds(30))
        #expect(await problem { try await spool.frame(before.id, until: soon) }?.code == .spoolUnavailable)
        files.mend()
        try await running(spool) {
            #expect(await clock.reaches { spool.state == .available })
        }
        #expect(try await spool.picture(of: before.id, until: soon) == picture)
        let after = try await spool.store(still(4), durability: .full, until: soon)
        #expect(try await spool.picture(of: after.id, until: soon) == picture)
        #expect(try folder.pictures().count == 2)
        #expect(try folder.names(in: ".incoming").isEmpty)
        // Once that it is gone, and not with every attempt.
        #expect(messages.errors.count { $0.hasPrefix("The spool is unavailable") } == 1)
    }

    @Test func `without anybody who runs it, a request opens the spool again when that is due`() async throws {
        let spool = try await folder.open(files: files, clock: clock)
        files.refuse(EIO)
        _ = try await spool.refusal()
        #expect(await clock.reaches { spool.state.name == .unavailable })
        files.mend()
        _ = try await spool.store(still(1), durability: .full, until: soon)
        #expect(spool.state == .available)
    }

    @Test func `a disk that is gone is not taken for one that is there since it can be opened in memory`() async throws
    {
        let spool = try await folder.open(files: files, clock: clock)
        files.refuse(EIO, isCached: true)
        _ = try await spool.refusal()
        #expect(await clock.reaches { spool.state.name == .unavailable })
        // The first of these tries to open it.
        for number in 1...3 { _ = try await spool.refusal(of: still(number)) }
        #expect(spool.state.name == .unavailable)
        #expect(try folder.openPaths().isEmpty)
    }

    @Test func `what fails for one file only leaves the spool open`() async throws {
        let spool = try await folder.open(files: files, clock: clock)
        files.arm(.error(EIO), at: 2)
        _ = try await spool.refusal()
        // In the order of the storage thread: after the examination.
        _ = try? await spool.frame(FrameID(at: noon), until: soon)
        #expect(spool.state == .available)
    }

    @Test(arguments: [".incoming", ""])
    func `a spool whose folder somebody has removed makes it anew`(_ name: String) async throws {
        let spool = try await folder.open(clock: clock)
        _ = try await spool.store(still(), durability: .full, until: soon)
        try folder.remove(name)
        let problem = try await spool.refusal(of: still(1))
        #expect(problem.code == .spoolUnavailable)
        try await running(spool) {
            let isOpen = await clock.reaches {
                FileManager.default.fileExists(atPath: folder.path + "/.incoming") && spool.state == .available
            }
            #expect(isOpen)
        }
        let record = try await spool.store(still(2), durability: .full, until: soon)
        #expect(try await spool.picture(of: record.id, until: soon) == picture)
    }

    @Test func `a full disk is a state, and over with the next picture that fits`() async throws {
        let spool = try await folder.open(files: files, clock: clock, logger: messages.logger)
        files.refuse(ENOSPC)
        for number in 0..<3 { #expect(try await spool.refusal(of: still(number)).code == .spoolFull) }
        #expect(spool.state.name == .full)
        #expect(spool.state.reason?.code == .spoolFull)
        #expect(messages.errors.count == 1)
        files.mend()
        _ = try await spool.store(still(4), durability: .full, until: soon)
        #expect(spool.state == .available)
    }

    @Test func `a spool that cannot be opened at the start waits for its disk`() async throws {
        files.refuse(EROFS)
        let (spool, reason) = await Spool.openOrWait(
            folder.configuration,
            logger: .quiet,
            files: files,
            clock: clock,
            until: soon
        )
        #expect(reason?.code == .spoolUnavailable)
        #expect(spool.state.name == .unavailable)
        files.mend()
        try await running(spool) {
            #expect(await clock.reaches { spool.state == .available })
        }
        let record = try await spool.store(still(), durability: .full, until: soon)
        #expect(try await spool.picture(of: record.id, until: soon) == picture)
        await spool.close(until: soon)
        #expect(try await spool.refusal(of: still(1), durability: .none).code == .stopping)
    }
}
