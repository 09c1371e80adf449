// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture

extension SessionTests {
    struct FailedOpeningTests {
        /// Waits until `openings` have been tried, and returns the numbers told, without that of the last good frame.
        private func counts(_ patterns: [String], after openings: Int) async throws -> [Int] {
            let told = Recorder<Int>()
            let configuration = SessionConfiguration(warmth: .hot)
            try await Stage.run(list: patterns, configuration: configuration) { stage in
                let task = Task { for await count in stage.session.failedOpenings { told.add(count) } }
                #expect(await TestClock().reaches(within: .seconds(120)) { stage.log.openings >= openings })
                await TestClock().settle()
                task.cancel()
                await task.value
            }
            return told.values.last == 0 ? told.values.dropLast() : told.values
        }

        @Test func `failed openings are counted in a row, until a good frame`() async throws {
            let (good, gone) = ("YUYV:64x48@50,lose-after=20", "YUYV:64x48@50,gone")
            // The loss of a stream that has given frames is no failed opening; silence and damage from the start on are.
            let patterns = [
                gone, "YUYV:64x48@50,stall-after=0", "YUYV:64x48@50,flag=100", good, gone, gone, good, gone,
                "YUYV:64x48@50",
            ]
            #expect(try await counts(patterns, after: patterns.count) == [1, 2, 3, 0, 1, 2, 0, 1])
        }

        @Test(arguments: ["busy", "deny", "no-bandwidth"])
        func `failures that a reset does not end are not counted`(_ fault: String) async throws {
            let patterns = ["gone", fault, fault, "gone"].map { "YUYV:64x48@50,\($0)" } + ["YUYV:64x48@50"]
            #expect(try await counts(patterns, after: patterns.count) == [1, 2])
        }
    }
}
