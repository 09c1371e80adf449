// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import tintype

extension Processes {
    @Suite struct MetricsTests {
        @Test func `counts stills, problems and spools without opening a camera`() async throws {
            try await Site.serving("YUYV:320x180@60", "YUYV:320x180@0.001") { site, _ in
                let first = try await site.metrics()
                #expect(first["tintype_camera_state{camera=\"pattern\",state=\"off\"}"] == 1)
                #expect(first["tintype_camera_openings_total{camera=\"pattern\"}"] == 0)
                // A started camera does not close between requests.
                _ = try await site.client.start("pattern")
                for _ in 0..<3 { _ = try await site.still() }
                _ = try await site.client.picture(of: "pattern", StillRequest(deadline: .patience, keep: false))
                for _ in 0..<2 {
                    let reply = try await site.post(#"{"deadlineMs":200}"#, to: "pattern-2")
                    let problem = try WireFormat.decode(Problem.self, from: reply.body)
                    #expect(reply.status == 504 && problem.code == .deadlineExceeded, "\(problem)")
                }
                await #expect(throws: Problem.self) { try await site.client.camera("none") }
                // A spool that does not answer within a second is missing from the metrics.
                let last: [Substring: Double] = try await eventually("the spool is counted") {
                    let numbers = try await site.metrics()
                    return numbers["tintype_spool_frames{spool=\"default\"}"] == nil ? nil : numbers
                }
                #expect(last["tintype_stills_total{camera=\"pattern\",result=\"ok\"}"] == 4)
                #expect(last["tintype_stills_total{camera=\"pattern-2\",result=\"deadline-exceeded\"}"] == 2)
                #expect(last["tintype_still_phase_seconds_count{camera=\"pattern\",phase=\"store\"}"] == 3)
                #expect(last["tintype_still_age_seconds_count{camera=\"pattern\"}"] == 4)
                #expect(last["tintype_errors_total{code=\"camera-not-found\"}"] == 1)
                #expect(last["tintype_errors_total{code=\"deadline-exceeded\"}"] == 2)
                #expect(last["tintype_spool_frames{spool=\"default\"}"] == 3)
                #expect(last["tintype_frames_captured_total{camera=\"pattern\"}"] ?? 0 >= 4)
                #expect(last["tintype_camera_openings_total{camera=\"pattern\"}"] == 1)
            }
        }
    }
}
