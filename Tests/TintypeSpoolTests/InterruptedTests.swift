// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing

@testable internal import TintypeModel
@testable internal import TintypeSpool

/// Verification interrupted at each of its calls in turn and repeated.
@Suite struct InterruptedTests {
    private let origin = SpoolFolder()

    init() async throws { try await ReconcileCase.fill(origin) }

    @Test func `verification repairs everything and reports it once`() async throws {
        let spool = try await SpoolStore.open(origin.configuration)
        let report = try await spool.verify(until: soon)
        #expect(report.takenIn == 1 && report.quarantined == 2 && report.lost == 2 && report.found == 1)
        #expect(report.foreign == 0 && report.leftovers == 1 && report.damaged == nil)
        // Opening finishes the interrupted deletions.
        #expect(report.removed == 1)
        try ReconcileCase.expectEnd(origin, "once")
        let again = try await spool.verify(until: soon)
        // Lost pictures stay missing.
        #expect(again == VerificationReport(spool: "default", missing: 2))
        await spool.close(until: soon)
        try ReconcileCase.expectEnd(origin, "twice")
    }

    @Test func `verification recovers from SIGKILL at any call`() async throws {
        let count = try await KillFiles.killAtEachCall(of: origin) { spool in
            _ = try await spool.verify(until: soon)
        } expect: { folder, comment in
            try ReconcileCase.expectEnd(folder, comment)
        }
        #expect(count > 60)
    }

    @Test func `verification recovers from a failure of any file call`() async throws {
        let count = try await FaultyFiles.failEachCall { files, code, index in
            let folder = try origin.copy()
            let spool = try await SpoolStore.open(folder.configuration, files: files)
            files.arm(.error(code), at: index)
            _ = try? await spool.verify(until: soon)
            files.mend()
            _ = try await verified(spool)
            await spool.close(until: soon)
            try ReconcileCase.expectEnd(folder, "\(code) at \(index): \(files.failed ?? "none")")
        }
        #expect(count > 30)
    }

    @Test func `verification recovers from a failure of any catalog change`() async throws {
        var failures = 0
        for count in 0..<12 {
            let folder = try origin.copy()
            let spool = try await SpoolStore.open(folder.configuration)
            try refuseChanges(of: folder, after: count)
            do throws(Problem) {
                _ = try await spool.verify(until: soon)
            } catch {
                failures += 1
                #expect(error.code == .spoolUnavailable && error.detail.contains("refused"))
            }
            try folder.sql("UPDATE fault SET remaining = 1000000")
            _ = try await verified(spool)
            await spool.close(until: soon)
            try ReconcileCase.expectEnd(folder, "after \(count) changes")
        }
        #expect((3..<12).contains(failures))
    }

    /// Verifies until it succeeds: a failure may have closed the spool for a moment.
    private func verified(_ spool: SpoolStore) async throws -> VerificationReport {
        while true {
            do throws(Problem) {
                return try await spool.verify(until: soon)
            } catch {
                guard error.code == .spoolUnavailable else { throw error }
                await Task.yield()
            }
        }
    }

    private func refuseChanges(of folder: SpoolFolder, after count: Int) throws {
        let refusal = """
            SELECT RAISE(ABORT, 'refused') WHERE (SELECT remaining FROM fault) <= 0;
            UPDATE fault SET remaining = remaining - 1;
            """
        let triggers = ["frame", "tombstone"].flatMap { table in
            ["INSERT", "UPDATE", "DELETE"].map { change in
                "CREATE TRIGGER fault_\(table)_\(change) BEFORE \(change) ON \(table) BEGIN \(refusal) END;"
            }
        }
        try folder.sql(
            "CREATE TABLE fault (remaining INTEGER); INSERT INTO fault VALUES (\(count)); \(triggers.joined())"
        )
    }
}
