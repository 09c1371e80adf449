// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeClient
internal import TintypeModel

extension Processes {
    /// A camera whose exposure needs time after each start, as the command line shows it.
    @Suite struct SettlingTests {
        @Test func `a cold still waits for exposure, its record has the phases, and status what was learned`()
            async throws
        {
            try await Site.serving("MJPG:640x360@30,ramp=12") { site, _ in
                let outcome = try await site.tintype("still", "--json")
                #expect(outcome.status == 0, "\(outcome.errors)")
                let record = try #require(try outcome.read(StillList.self).stills.first)
                #expect(record.settled == true && record.appearance == nil)
                #expect(record.skipped?[.unsettled] ?? 0 >= 8)
                let phases = try #require(record.phasesMs)
                for phase in [phases.open, phases.settle, phases.wait, phases.encode, phases.store] {
                    #expect(phase.duration > .zero, "\(phases)")
                }
                #expect(phases.settle.duration >= .milliseconds(11 * 33))
                let status = try await site.tintype("status", "pattern")
                #expect(status.text.contains("\n  to settle      "), "\(status.text)")
                let learned = try await site.client.camera("pattern").latency.settling
                #expect(learned?.count == 1 && learned?.medianFrames ?? 0 >= 12)
            }
        }

        @Test func `settle and appearance are asked for and told by HTTP`() async throws {
            try await Site.serving("YUYV:640x360@30,ramp=5000,dark") { site, _ in
                let request = StillRequest(deadline: .milliseconds(600), settle: .always)
                let problem = await #expect(throws: Problem.self) {
                    try await site.still(request)
                }
                #expect(problem?.code == .deadlineExceeded && problem?.detail.contains("have not settled") == true)
                let record = try await site.still(StillRequest(deadline: .patience, settle: .never))
                #expect(record.appearance?.contains(.black) == true)
            }
        }
    }
}
