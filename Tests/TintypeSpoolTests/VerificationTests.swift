// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// Complete reporting of lost and unreadable pictures by a verification.
@Suite struct VerificationTests {
    private let folder = SpoolFolder()
    private let files = FaultyFiles()

    @Test(arguments: [false, true])
    func `reports a lost picture as missing until it is back`(_ isDeep: Bool) async throws {
        let messages = MessageLog()
        let spool = try await folder.open(logger: messages.logger)
        try await spool.fill(0...1)
        #expect(try await spool.verify(deep: isDeep, until: soon).missing == 0)
        try folder.remove(storedName())
        for lost in [1, 0] {
            let report = try await spool.verify(deep: isDeep, until: soon)
            #expect(report.lost == lost && report.missing == 1 && report.unread == 0)
        }
        #expect(messages.warnings.count { $0.contains("is gone") } == 1)
        try folder.write(picture, to: storedName())
        let report = try await spool.verify(deep: isDeep, until: soon)
        #expect(report.found == 1 && report.missing == 0)
    }

    @Test(arguments: ["143012.345678Z-000001234.jpg", "/yard/holiday.jpg", "/door/2026/11"], [EIO, EACCES])
    func `counts an unreadable path in the report`(_ name: String, _ code: Int32) async throws {
        let spool = try await folder.open(files: files)
        _ = try await spool.store(still(), durability: .none, until: soon)
        // A file without a row.
        try folder.write(picture, to: "yard/holiday.jpg")
        files.before { ["list", "read"].contains($0.verb) && $0.path.hasSuffix(name) ? code : nil }
        let report = try await spool.verify(deep: true, until: soon)
        #expect(report.unread == 1 && report.missing == 0 && report.damaged == [])
        files.mend()
        #expect(try await spool.verify(deep: true, until: soon).unread == 0)
    }

    @Test func `the progress of a verification outlasts the end of another`() async throws {
        let hold = Hold()
        let spool = try await folder.open(files: files)
        try await spool.fill(0..<3)
        #expect(spool.report.verification == nil)
        files.once({ $0.verb == "read" }, hold.pass)
        async let first = spool.verify(deep: true, until: soon)
        try await eventually("the rows are compared") { spool.report.verification?.of == 3 }
        #expect(spool.report.verification == VerificationProgress(files: 3, frames: 0, of: 3))
        _ = try await spool.verify(until: soon)
        #expect(spool.report.verification == VerificationProgress(files: 3, frames: 0, of: 3))
        hold.release()
        #expect(try await first.damaged == [])
        #expect(spool.report.verification == nil)
    }
}
