// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import tintype

extension Processes {
    /// Cost of a daemon without clients, measured from outside.
    @Suite struct CostTests {
        @Test func `an unused frame costs no allocation`() async throws {
            try await Site.with { site in
                let allocations = try await Allocations(site)
                let daemon = try await site.startDaemon(["YUYV:640x360@120"], environment: allocations.environment)
                // Open for as long as the frames take.
                _ = try await site.client.start("pattern")
                _ = try await site.client.picture(of: "pattern", StillRequest(deadline: .patience, keep: false))
                let captured = { try await site.client.camera("pattern").counters.captured }
                let start = try await captured()
                // The newest frame is kept for a second for the next request.
                try await eventually("two seconds of frames") { try await captured() > start + 240 }
                let (before, first) = (try allocations.count(by: "tt-pattern", of: daemon), try await captured())
                #expect(before ?? 0 > 0)
                try await eventually("200 more frames") { try await captured() >= first + 200 }
                #expect(try allocations.count(by: "tt-pattern", of: daemon) == before)
            }
        }
    }
}
