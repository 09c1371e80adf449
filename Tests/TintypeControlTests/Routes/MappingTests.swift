// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import Testing
import TintypeModel

@testable import TintypeControl

struct MappingTests {
    private struct Secret: Error {}

    @Test func `an error that nobody foresaw has no problem of its own`() {
        #expect(Problem(mapping: Secret()) == nil)
        #expect(Problem(mapping: HTTPError(.internalServerError)) == nil)
    }

    @Test func `a problem stays itself, and the router's refusals are invalid requests`() {
        let problem = Problem(.noSignal, "a", remedy: "b")
        #expect(Problem(mapping: problem) == problem)
        #expect(Problem(mapping: HTTPError(.badRequest, message: "Bad."))?.code == .invalidRequest)
        #expect(Problem(mapping: CancellationError())?.code == .stopping)
    }

    @Test func `an internal error names its request and no detail`() {
        let problem = Problem.unexpected(request: "17")
        #expect(problem.code == .internalError)
        #expect(problem.detail == "The daemon failed at request 17.")
    }
}
