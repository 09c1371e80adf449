// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeCapture
import TintypeDevice
import TintypeModel

extension SessionTests {
    struct ConvertedStillTests {
        @Test(arguments: ["BA81", "GBRG", "GRBG", "RGGB", "Y16"])
        func `a converted still shows the requested frame`(_ format: String) async throws {
            try await Stage.run("\(format):320x180@50") { stage in
                for _ in 0..<5 {
                    let before = TestClock().now
                    let still = try await stage.take()
                    let code = try still.code()
                    #expect(code.number == still.record.sequence)
                    #expect(code.microseconds >= UInt64(before.nanoseconds / 1000))
                    #expect((still.record.width, still.record.height) == (320, 180))
                }
            }
        }

        @Test func `converts one frame into many options at once`() async throws {
            try await Stage.run("RGGB:320x180@5") { stage in
                let stills = try await atOnce(30) { index in
                    let rendering = ImageOptions(quality: 60 + index)
                    return try await stage.stills.take(StillRequest(fresh: .request, rendering: rendering))
                }
                #expect(stills.count == 30)
                for still in stills { #expect(try still.code().number == still.record.sequence) }
            }
        }

        @Test func `rejects a size that cannot be converted`() async throws {
            try await Stage.run("BA81:321x181@50") { stage in
                await expectProblem(.configurationUnsupported, "BA81 in multiples of 2x2, not 321x181") {
                    try await stage.take()
                }
            }
        }

        @Test func `skips short frames of a converted format`() async throws {
            try await Stage.run("BA81:320x180@100,short-every=2") { stage in
                for _ in 0..<5 { _ = try await stage.take().code() }
                #expect(stage.counters.short > 0)
            }
        }
    }
}
