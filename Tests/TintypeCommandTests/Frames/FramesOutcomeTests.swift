// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

@testable internal import TintypeModel

/// What scripts learn of `tintype frames` from its exit status and from the end of what it writes.
struct FramesOutcomeTests {
    @Test(
        arguments: [
            (VerificationReport(spool: "default", takenIn: 3, found: 2, foreign: 1, removed: 1, leftovers: 1), 0),
            (VerificationReport(spool: "default", isDeep: true, damaged: []), 0),
            (VerificationReport(spool: "default", quarantined: 1), 3),
            (VerificationReport(spool: "default", lost: 1), 3),
            (VerificationReport(spool: "default", missing: 1), 3),
            (VerificationReport(spool: "default", unread: 1), 3),
            (VerificationReport(spool: "default", isDeep: true, damaged: [Sample.record.id]), 3),
        ] as [(VerificationReport, Int32)]
    )
    func `what is missing, unread, not whole or damaged is status 3, in whichever spool`(
        _ report: VerificationReport,
        _ status: Int32
    ) async throws {
        let answer: @Sendable (FakeDaemon.Request) -> FakeDaemon.Reply = { request in
            request.target == "/v1/spool/verify"
                ? .json(VerificationList(reports: [VerificationReport(spool: "usb"), report]))
                : .json(SpoolList(spools: []))
        }
        try await BuiltCommand.asking(answer) { command, daemon in
            let outcome = try await command.run("frames", "verify", "--json")
            #expect(outcome.status == status, "\(outcome.errors)")
            #expect(try WireFormat.decode(VerificationList.self, from: outcome.output).reports.last == report)
        }
    }
}
