// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import tintype

extension Processes {
    @Suite struct StopTests {
        @Test(arguments: [SIGTERM, SIGINT], [false, true])
        func `stops cleanly while idle and while busy`(
            signal: Int32,
            isBusy: Bool
        ) async throws {
            // The second camera has its first frame after 1000 s, before its stall is detected.
            try await Site.serving("YUYV:320x180@30", "YUYV:320x180@0.001") { site, daemon in
                if isBusy {
                    _ = try await site.client.picture(of: "pattern", StillRequest(deadline: .patience, keep: false))
                }
                async let waiting: Problem? = {
                    guard isBusy else { return nil }
                    do {
                        _ = try await site.client.still(StillRequest(deadline: .patience), of: "pattern-2")
                        return nil
                    } catch let problem as Problem {
                        return problem
                    }
                }()
                if isBusy {
                    try await eventually("the camera is open") {
                        try await site.client.camera("pattern-2").counters.opened == 1
                    }
                }
                try await daemon.expectStop(at: site, by: signal)
                #expect(try await waiting?.code == (isBusy ? .stopping : nil))
            }
        }

        @Test func `every client of a hanging camera is answered before the exit`() async throws {
            try await Site.serving("YUYV:320x180@30,hang-after=0,hang=3600s") { site, daemon in
                let path = "/v1/cameras/pattern/still.jpg?deadlineMs=600000"
                let clients = try (0..<50).map { number in
                    try site.curl("-S", "-o", "\(site.folder)/reply-\(number)", "http://a\(path)")
                }
                // Early clients are answered once the call has hung for a second.
                try await eventually("all of them wait, or are answered") {
                    let answered = (0..<clients.count).count {
                        FileManager.default.fileExists(atPath: "\(site.folder)/reply-\($0)")
                    }
                    return try await answered + site.client.camera("pattern").waiting == clients.count
                }
                try await daemon.expectStop(at: site)
                for (number, client) in clients.enumerated() {
                    let outcome = try await client.outcome()
                    #expect(outcome.status == 0, "curl: \(outcome.errors)")
                    let reply = try Data(contentsOf: URL(filePath: "\(site.folder)/reply-\(number)"))
                    let code = try WireFormat.decode(Problem.self, from: reply).code
                    #expect(code == .stopping || code == .driverStuck, "\(code)")
                }
            }
        }
    }
}
