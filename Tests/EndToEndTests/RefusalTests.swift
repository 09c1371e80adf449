// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import tintype

extension Processes {
    /// Failures with code, sentence, remedy and exit status.
    @Suite struct RefusalTests {
        @Test func `each failure has a code, a sentence, a remedy and an exit status`() async throws {
            let refusals: [(camera: String, code: ProblemCode, status: Int32, words: String)] = [
                ("pattern", .cameraBusy, 19, "busy"), ("pattern-2", .cameraDenied, 26, "permission denied"),
                ("pattern-3", .usbBandwidth, 31, "bandwidth"), ("garden", .cameraNotFound, 14, "no camera “garden”"),
            ]
            // The last camera has its first frame after 1000 s, before its stall is detected.
            try await Site.serving(
                "YUYV:320x180@30,busy",
                "YUYV:320x180@30,deny",
                "YUYV:320x180@30,no-bandwidth",
                "YUYV:320x180@0.001"
            ) { site, _ in
                for (camera, code, status, words) in refusals {
                    let human = try await site.tintype("still", camera)
                    #expect(human.status == status && code.exitStatus == status, "\(camera): \(human.errors)")
                    let lines = human.errors.split(separator: "\n")
                    #expect(lines.count == 2 && lines.allSatisfy { $0.hasSuffix(".") }, "\(camera): \(human.errors)")
                    #expect(human.errors.lowercased().contains(words), "\(camera): \(human.errors)")
                    #expect(human.output.isEmpty, "\(camera)")
                    let machine = try await site.tintype("still", camera, "--json")
                    #expect(machine.status == status, "\(camera)")
                    let problem = try WireFormat.decode(Problem.self, from: Array(machine.errors.utf8))
                    #expect(problem.code == code && !problem.detail.isEmpty && !problem.remedy.isEmpty)
                    let reply = try await Self.picture(site, camera, deadline: 600_000)
                    #expect(
                        reply.status == code.status && reply.header("Content-Type") == Problem.mediaType,
                        "\(camera)"
                    )
                }
                // Not by the command, which gives up 2 s after its deadline even if the daemon is only slow.
                let late = try await Self.picture(site, "pattern-4", deadline: 300)
                #expect(late.status == 504 && late.header("Content-Type") == Problem.mediaType)
                let problem = try WireFormat.decode(Problem.self, from: late.body)
                #expect(problem.code == .deadlineExceeded && problem.code.exitStatus == 33)
                #expect(problem.detail.contains("pattern-4") && !problem.remedy.isEmpty)
            }
        }

        /// Reply to a `still.jpg` request with a deadline in milliseconds.
        private static func picture(_ site: Site, _ camera: String, deadline: Int) async throws -> ControlResponse {
            let (path, query) = ("/v1/cameras/\(camera)/still.jpg", [("deadlineMs", "\(deadline)")])
            return try await site.client.send(
                ControlRequest(method: "GET", path: path, query: query, deadline: .patience)
            )
        }

        @Test func `decode-failure-exit-0: an undecodable picture is an error and leaves no file`() async throws {
            try await Site.serving("MJPG:320x180@30,cut-every=1") { site, _ in
                let file = "\(site.folder)/picture.jpg"
                for target in ["-o '\(file)'", ""] {
                    let still = try await eventually("frames come by the deadline") {
                        let still = try await site.shell("tintype still --deadline 5s \(target) || exit $?")
                        return [2, 33].contains(still.status) ? nil : still
                    }
                    #expect(still.status == ProblemCode.corruptOnly.exitStatus, "\(still.errors)")
                }
                #expect(!FileManager.default.fileExists(atPath: file))
                #expect(try site.pictures.isEmpty)
            }
        }

        @Test(.requiresNoCamera) func `reports that the machine has no camera`() async throws {
            try await Site.with { site in
                _ = try await site.startDaemon([])
                #expect(try await site.tintype("cameras").status == 0)
                let still = try await site.tintype("still")
                #expect(still.status == 14 && still.errors.contains("Plug one in"), "\(still.errors)")
                let named = try await site.tintype("still", "video0")
                #expect(named.status == 14 && named.errors.contains("plug one in"), "\(named.errors)")
            }
        }
    }
}
