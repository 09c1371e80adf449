// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeModel

@testable import tintyped

struct StillOutcomesTests {
    @Test func `failures are counted until a still comes`() async throws {
        let outcomes = StillOutcomes()
        let gone = Problem(.deviceLost, "It is gone.", remedy: "Plug it in.")
        for count in 1...3 {
            await #expect(throws: Problem.self) {
                try await outcomes.noting(StillRequest()) { () throws(Problem) -> Int in throw gone }
            }
            #expect(outcomes.failing?.count == count && outcomes.failing?.problem == gone)
        }
        #expect(outcomes.failing?.isLasting == true)
        #expect(try await outcomes.noting(StillRequest()) { () throws(Problem) -> Int in 7 } == 7)
        #expect(outcomes.failing == nil)
    }
}
