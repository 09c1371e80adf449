// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSpool

@Suite struct VerificationProgressTests {
    /// The machine's files, of which one that is read can be held up.
    private final class HeldReads: FileLayer {
        let files = SystemFiles()
        private let isHeld = Mutex(false)
        private let gate = DispatchSemaphore(value: 0)

        func hold() { isHeld.withLock { $0 = true } }

        func release() { gate.signal() }

        func read(_ path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
            let waits = isHeld.withLock { isHeld in
                defer { isHeld = false }
                return isHeld
            }
            if waits { gate.wait() }
            return try files.read(path, atMost: limit)
        }
    }

    @Test func `how far a verification is can be asked while it goes on`() async throws {
        let files = HeldReads()
        let folder = try SpoolFolder()
        let spool = try await folder.open(files)
        for number in 0..<3 { _ = try await spool.store(still(number), durability: .none, until: soon) }
        #expect(spool.verification == nil)
        files.hold()
        async let report = spool.verify(deep: true, until: soon)
        try await eventually("the rows are compared") { spool.verification?.of == 3 }
        #expect(spool.verification == VerificationProgress(files: 3, frames: 0, of: 3))
        files.release()
        #expect(try await report.damaged == [])
        #expect(spool.verification == nil)
        await spool.close(until: soon)
    }

    @Test func `the end of a verification does not hide one that goes on`() async throws {
        let files = HeldReads()
        let folder = try SpoolFolder()
        let spool = try await folder.open(files)
        for number in 0..<3 { _ = try await spool.store(still(number), durability: .none, until: soon) }
        files.hold()
        async let first = spool.verify(deep: true, until: soon)
        try await eventually("the rows are compared") { spool.verification?.of == 3 }
        _ = try await spool.verify(until: soon)
        #expect(spool.verification == VerificationProgress(files: 3, frames: 0, of: 3))
        files.release()
        #expect(try await first.damaged == [])
        #expect(spool.verification == nil)
        await spool.close(until: soon)
    }
}
