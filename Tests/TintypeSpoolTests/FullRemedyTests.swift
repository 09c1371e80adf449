// SPDX-License-Identifier: Apache-2.0
internal import GRDB
internal import Glibc
internal import Testing
internal import TintypeModel

@testable internal import TintypeSpool

/// The remedy that a client gets for a full spool.
@Suite struct FullRemedyTests {
    private static let refusals = [
        FileError("write", "/spool/.incoming/1", code: ENOSPC).problem,
        FileError("write", "/spool/.incoming/1", code: EDQUOT).problem,
        CatalogConnection.problem(DatabaseError(resultCode: .SQLITE_FULL), "write to", "/spool/catalog.sqlite"),
    ]

    @Test(arguments: refusals) func `the remedy for a full spool names retention`(_ problem: Problem) {
        #expect(problem.code == .spoolFull)
        for words in ["retention:", "“tintype frames retention”", "tintype frames rm"] {
            #expect(problem.remedy.contains(words), "\(problem.remedy)")
        }
    }
}
