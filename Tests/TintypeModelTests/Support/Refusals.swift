// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

/// Expects `read` to fail as an invalid request because of `field`; nil stands for the whole body.
@discardableResult
func expectInvalid<Value>(
    _ field: String?,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ read: () throws -> Value
) -> Problem? {
    let problem = #expect(throws: Problem.self, sourceLocation: sourceLocation) { _ = try read() }
    #expect(problem?.code == .invalidRequest, sourceLocation: sourceLocation)
    #expect(problem?.field == field, "\(problem?.detail ?? "")", sourceLocation: sourceLocation)
    #expect(problem?.remedy.isEmpty == false, sourceLocation: sourceLocation)
    return problem
}
