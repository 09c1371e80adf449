// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing
internal import TintypeModel

@testable internal import tintype

extension Processes {
    @Suite struct StillTests {
        @Test func `Pillow and djpeg decode a still`() async throws {
            try await Site.with { site in
                let patterns = ["YUYV:640x360@30", "MJPG:640x360@30", "NV12:320x240@30", "GREY:320x240@30"]
                _ = try await site.startDaemon(patterns)
                for (pattern, camera) in zip(patterns, ["pattern", "pattern-2", "pattern-3", "pattern-4"]) {
                    let outcome = try await site.tintype("still", camera)
                    #expect(outcome.status == 0, "\(pattern): \(outcome.errors)")
                    let path = outcome.text.trimmingCharacters(in: .newlines)
                    #expect(path.hasPrefix("\(site.spool)/\(camera)/"))
                    let size = try await site.size(of: path)
                    #expect(pattern.contains(":\(size)@"), "\(pattern): \(size)")
                    try await site.expectWhole(path, pattern)
                }
            }
        }

        @Test func `a configuration with the test pattern can be checked and tried without a camera`() async throws {
            try await Site.with { site in
                let camera = "{pattern: \"MJPG:640x360@30\", controls: {brightness: 99}}"
                let file = try site.write("cameras: {demo: \(camera)}\n", to: "demo.yaml")
                let check = try await site.start(Programs.daemon, ["--config", file, "--check"]).outcome()
                #expect(check.status == 0 && check.errors.isEmpty, "\(check.text)\(check.errors)")
                _ = try await site.startDaemon([], configuration: "cameras: {demo: \(camera)}\n")
                let outcome = try await site.tintype("still")
                #expect(outcome.status == 0, "\(outcome.errors)")
                let path = outcome.text.trimmingCharacters(in: .newlines)
                #expect(path.hasPrefix("\(site.spool)/demo/"))
                try await site.expectWhole(path, "demo")
            }
        }

        @Test func `a thumbnail is a whole picture of an intact frame`() async throws {
            try await Site.serving("YUYV:640x360@30") { site, _ in
                var record = try await site.still()
                func reply(width: Int) async throws -> ControlResponse {
                    let path = "/v1/frames/\(record.id)/thumbnail"
                    return try await site.client.send(
                        ControlRequest(method: "GET", path: path, query: [("width", "\(width)")])
                    )
                }
                for width in [160, 320] {
                    let thumbnail = try await reply(width: width)
                    #expect(thumbnail.status == 200)
                    try Data(thumbnail.body).write(to: URL(filePath: "\(site.folder)/t.jpg"))
                    #expect(try await site.size(of: "\(site.folder)/t.jpg") == "\(width)x\(width * 9 / 16)")
                    try await site.expectWhole("\(site.folder)/t.jpg", "\(width)")
                }
                // A frame no wider than requested is returned unchanged.
                let whole = try await site.client.image(of: record.id)
                for width in [640, 1920] { #expect(try await reply(width: width).body == whole) }
                _ = try await site.client.delete(.ids([record.id]))
                #expect(try await reply(width: 160).status == 404)
                // A modified file has no thumbnail.
                record = try await site.still()
                let path = URL(filePath: try #require(record.path))
                try Data(Data(contentsOf: path).dropLast(20) + Data(count: 20)).write(to: path)
                let damaged = try await reply(width: 160)
                #expect(damaged.status == 504)
                let problem = try WireFormat.decode(Problem.self, from: damaged.body)
                #expect(problem.code == .corruptOnly)
                #expect(problem.detail.contains("is not the picture that was stored: "), "\(problem)")
            }
        }
    }
}
