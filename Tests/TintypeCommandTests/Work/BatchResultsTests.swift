// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import tintype

struct BatchResultsTests {
    private let ids = (0..<4).map { Sample.picture($0).id }

    @Test func `a failure counts against its picture only after a later success`() {
        var results = BatchResults()
        results.failed(ids[0], "500")
        #expect(results.next() == nil)
        results.delivered(ids[1])
        let report = results.next()
        #expect(report?.failures == [WorkReport.Failure(id: ids[0], error: "500", isFinal: false)])
        #expect(report?.done == [ids[1]])
    }

    @Test func `failures at the end of a batch are reported with its end, so that the daemon can pass over them`() {
        var results = BatchResults()
        results.delivered(ids[0])
        results.failed(ids[1], "503")
        #expect(!results.isTargetAway)
        results.failed(ids[1], "503 again")
        #expect(!results.isTargetAway, "the same picture")
        results.failed(ids[2], "503, too")
        #expect(results.isTargetAway)
        results.end(nil)
        let report = results.next()
        #expect(report?.failures.map(\.id) == [ids[1], ids[2]])
        #expect(report?.failures.contains(where: \.isFinal) == false)
        #expect(report?.error == "503, too")
        #expect(report?.isOver == true)
    }

    @Test func `a result is reported once, and again if the report was lost`() {
        var results = BatchResults()
        for _ in 0..<2 { results.delivered(ids[0]) }
        results.refused(ids[1], "The server\n answered  404.")
        let lost = results.next()
        #expect(lost?.done == [ids[0]])
        #expect(lost?.failures == [WorkReport.Failure(id: ids[1], error: "The server answered 404.", isFinal: true)])
        #expect(results.next() == nil)
        results.delivered(ids[2])
        if let lost { results.restore(lost) }
        let again = results.next()
        #expect(again?.done == [ids[0], ids[2]])
        #expect(again?.failures == lost?.failures)
    }

    @Test func `a due report has the state without news`() {
        var results = BatchResults()
        results.progressed(to: 0.5)
        #expect(results.next()?.progress == 0.5 && results.next() == nil)
        #expect(results.next(isDue: true)?.progress == 0.5)
    }

    @Test(arguments: [(0, 1), (2, 3), (3, 3)])
    func `a part is sent three times, with pauses, before it fails`(failures: Int, attempts: Int) async {
        var (made, pauses) = (0, 0)
        let full = Problem(.spoolFull, "The disk is full.", remedy: "Delete something.")
        var error: (any Error)?
        do {
            try await VideoBatch.insisting(
                {
                    made += 1
                    if made <= failures { throw full }
                },
                pause: { pauses += 1 }
            )
        } catch let problem {
            error = problem
        }
        #expect(made == attempts && pauses == attempts - 1)
        #expect(error as? Problem == (failures < 3 ? nil : full))
    }

    @Test func `user and query of an address are in no error`() {
        var results = BatchResults()
        let text = #"Propfind "http://ann:SECRET@h/x?token=SECRET/x": 401"#
        results.refused(ids[0], text)
        results.failed(ids[1], text)
        results.end(BatchFailure(error: text))
        let report = results.next()
        let errors = (report?.failures.map(\.error) ?? []) + [report?.error ?? ""]
        #expect(errors == Array(repeating: #"Propfind "http://…@h/x?…": 401"#, count: 3))
    }

    @Test func `bytes only grow, and an error has a limited length`() {
        var results = BatchResults()
        results.sent(100)
        results.sent(50)
        #expect(results.next()?.bytes == 100)
        results.end(BatchFailure(error: String(repeating: "x", count: 900), isFatal: true))
        let report = results.next()
        #expect(report?.error?.count == 500)
        results.refused(ids[0], String(repeating: "\u{1}雪", count: 500))
        #expect(results.next()?.failures[0].error.utf8.count ?? 900 <= 502)
        #expect(report?.isFatal == true)
        #expect(report?.bytes == 100)
    }
}
