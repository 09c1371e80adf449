// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Disks that fail and come back without a restart.
@Suite struct RecoveryTests {
    private let clock = TestClock()
    private let folder = SpoolFolder()
    private let files = FaultyFiles()
    private let messages = MessageLog()

    /// Runs `body` while the spool reopens itself.
    private func running(_ spool: SpoolStore, _ body: () async throws -> Void) async throws {
        // Cancelled and awaited at the end of `body`.
        async let _ = spool.run()
        try await body()
    }

    @Test(arguments: [EROFS, EIO, ENXIO])
    func `a failing disk makes the spool unavailable until it recovers`(_ code: Int32) async throws {
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
        // No file is held open: the disk could be unmounted and repaired.
        #expect(try folder.openPaths().isEmpty)
        // A request makes an attempt; the following requests get the time of the next one.
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
        // Logged once, not with every attempt.
        #expect(messages.errors.count { $0.hasPrefix("The spool is unavailable") } == 1)
    }

    @Test func `a due request reopens the spool without run()`() async throws {
        let spool = try await folder.open(files: files, clock: clock)
        files.refuse(EIO)
        _ = try await spool.refusal()
        #expect(await clock.reaches { spool.state.name == .unavailable })
        files.mend()
        _ = try await spool.store(still(1), durability: .full, until: soon)
        #expect(spool.state == .available)
    }

    @Test func `a missing disk stays unavailable while its metadata is cached`() async throws {
        let spool = try await folder.open(files: files, clock: clock)
        files.refuse(EIO, isCached: true)
        _ = try await spool.refusal()
        #expect(await clock.reaches { spool.state.name == .unavailable })
        // The first request tries to open it.
        for number in 1...3 { _ = try await spool.refusal(of: still(number)) }
        #expect(spool.state.name == .unavailable)
        #expect(try folder.openPaths().isEmpty)
    }

    @Test func `a failure of one file leaves the spool open`() async throws {
        let spool = try await folder.open(files: files, clock: clock)
        files.arm(.error(EIO), at: 2)
        _ = try await spool.refusal()
        // Queued on the storage thread behind the examination.
        _ = try? await spool.frame(FrameID(at: noon), until: soon)
        #expect(spool.state == .available)
    }

    @Test(arguments: [".incoming", ""])
    func `recreates a removed spool folder`(_ name: String) async throws {
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

    @Test func `a full disk is a state until a picture fits again`() async throws {
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

    @Test func `a spool that fails to open at the start waits for its disk`() async throws {
        files.refuse(EROFS)
        let (spool, reason) = await SpoolStore.openOrWait(
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
