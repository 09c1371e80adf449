// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import TintypeSpool

@Suite struct VerificationProgressTests {
    @Test func `how far a verification is can be asked while it goes on`() async throws {
        let (files, hold) = (HookedFiles(), Hold())
        let folder = try SpoolFolder()
        let spool = try await folder.open(files)
        try await spool.fill(0..<3)
        #expect(spool.verification == nil)
        files.once({ $0.verb == "read" }, hold.pass)
        async let report = spool.verify(deep: true, until: soon)
        try await eventually("the rows are compared") { spool.verification?.of == 3 }
        #expect(spool.verification == VerificationProgress(files: 3, frames: 0, of: 3))
        hold.release()
        #expect(try await report.damaged == [])
        #expect(spool.verification == nil)
        await spool.close(until: soon)
    }

    @Test func `the end of a verification does not hide one that goes on`() async throws {
        let (files, hold) = (HookedFiles(), Hold())
        let folder = try SpoolFolder()
        let spool = try await folder.open(files)
        try await spool.fill(0..<3)
        files.once({ $0.verb == "read" }, hold.pass)
        async let first = spool.verify(deep: true, until: soon)
        try await eventually("the rows are compared") { spool.verification?.of == 3 }
        _ = try await spool.verify(until: soon)
        #expect(spool.verification == VerificationProgress(files: 3, frames: 0, of: 3))
        hold.release()
        #expect(try await first.damaged == [])
        #expect(spool.verification == nil)
        await spool.close(until: soon)
    }
}
