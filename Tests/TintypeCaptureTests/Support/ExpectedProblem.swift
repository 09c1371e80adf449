// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

/// The problem thrown by `body`, or nil.
func failure<R>(_ body: () async throws -> R) async -> Problem? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? Problem
    }
}

/// Expects `body` to throw a problem with this code and field, whose detail and remedy contain these texts, within
/// `limit` by the test clock; returns the problem.
@discardableResult
func expectProblem<R>(
    _ code: ProblemCode,
    _ details: String...,
    remedy: String? = nil,
    field: String? = nil,
    within limit: Duration? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> R
) async -> Problem? {
    let began = TestClock().now
    let problem = await failure(body)
    let took = TestClock().now - began
    let told = "\(code): \(problem.map { "\($0.code), \($0.detail) \($0.remedy)" } ?? "no problem")"
    #expect(problem?.code == code, "\(told)", sourceLocation: sourceLocation)
    for words in details {
        #expect(problem?.detail.contains(words) == true, "\(told)", sourceLocation: sourceLocation)
    }
    if let remedy { #expect(problem?.remedy.contains(remedy) == true, "\(told)", sourceLocation: sourceLocation) }
    if let field { #expect(problem?.field == field, "\(told)", sourceLocation: sourceLocation) }
    if let limit { #expect(took < limit, "\(told)", sourceLocation: sourceLocation) }
    return problem
}
