// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TintypeCapture
import TintypeImaging
import TintypeModel

@testable import TintypeFrames

extension SessionTests {
    /// What a camera costs that streams for no client, with the encoder replaced by a trap.
    @Suite struct IdleCostTests {
        @Test func `a hot raw camera that no client asks never reaches the encoder, and its threads use no time`() async
        {
            await #expect(processExitsWith: .success) {
                try await Stage.run("YUYV:1280x720@120", warmth: .hot, rendering: IdleCostTests.trap) { stage in
                    try #require(await TestClock().reaches { stage.counters.captured >= 10 })
                    let before = Threads.processorTime(prefix: "tt-encode")
                    try #require(!before.isEmpty)
                    try #require(await TestClock().reaches { stage.counters.captured >= 130 })
                    #expect(Threads.processorTime(prefix: "tt-encode") == before)
                    // The pattern draws its picture on the camera's thread: time that can be seen here at all.
                    #expect(Threads.processorTime(prefix: "tt-pattern").allSatisfy { $0 > .milliseconds(1) })
                }
            }
        }

        @Test func `the trap is in the place of the encoder`() async {
            await #expect(processExitsWith: .failure) {
                try await Stage.run("YUYV:64x64@50", warmth: .hot, rendering: IdleCostTests.trap) { stage in
                    _ = try await stage.take()
                }
            }
        }

        static let trap: EncodingThreads.Rendering = { (picture, _, _) throws(ImagingError) in
            preconditionFailure("\(picture.key) was encoded for no client")
        }
    }
}
