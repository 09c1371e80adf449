// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Testing

extension Processes {
    @Suite struct ReadmeTests {
        /// Shell blocks after a line with `<!-- run -->`.
        private static func blocks() throws -> [String] {
            let text = try String(contentsOf: Programs.repository.appending(path: "README.md"), encoding: .utf8)
            return text.components(separatedBy: "<!-- run -->\n```sh\n").dropFirst().map { part in
                part.components(separatedBy: "\n```")[0]
            }
        }

        @Test func `the commands of README succeed`() async throws {
            let blocks = try Self.blocks()
            #expect(blocks.count >= 4)
            try await Site.serving("YUYV:1280x720@30") { site, _ in
                for block in blocks {
                    // The site's socket in place of the packaged one, and deadlines of ten minutes.
                    let line = block.replacing("/run/tintype/tintyped.sock", with: site.socket)
                        .replacing("--deadline 2s", with: "--deadline 10m")
                        .replacing(#""fresh": "next""#, with: #""fresh": "next", "deadlineMs": 600000"#)
                        .replacing(/still\.jpg(\?)?/) { "still.jpg?deadlineMs=600000" + ($0.1 == nil ? "" : "&") }
                    let outcome = try await site.shell("cd '\(site.folder)'\n\(line)")
                    #expect(outcome.status == 0, "\(block)\n\(outcome.text)\(outcome.errors)")
                    #expect(!outcome.text.contains("\"code\":"), "\(block)\n\(outcome.text)")
                }
            }
        }

        @Test func `README lists every top-level entry in at most 200 lines`() throws {
            let text = try String(contentsOf: Programs.repository.appending(path: "README.md"), encoding: .utf8)
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 201)
            let ignored = Set([".git", ".build", ".build-install", ".build-still", "Package.resolved"])
            for entry in try FileManager.default.contentsOfDirectory(atPath: Programs.repository.path)
            where !ignored.contains(entry) {
                #expect(text.contains("`\(entry)`") || text.contains("`\(entry)/`"), "\(entry)")
            }
        }
    }
}
