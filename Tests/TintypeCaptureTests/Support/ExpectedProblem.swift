// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

/// The problem that `body` fails with; nil if it does not fail.
func failure<R>(_ body: () async throws -> R) async -> Problem? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? Problem
    }
}

/// Expects that `body` fails with a problem of this code, whose texts contain what is said of them.
///
/// - Parameters:
///   - code: The code.
///   - details: What the detail contains.
///   - remedy: What the remedy contains.
///   - field: The field, if it matters.
///   - limit: By when it has failed, by the tests' clock, if it matters.
///   - sourceLocation: Where an issue is shown.
///   - body: What fails.
/// - Returns: the problem.
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
