// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel
internal import tintype

extension Processes {
    /// Stored frames on the command line, and their import into another spool.
    @Suite struct FramesTests {
        private static let pattern = "YUYV:640x360@30"

        @Test func `finds, changes and permanently deletes frames by filter`() async throws {
            try await Site.serving(Self.pattern, "MJPG:320x240@30") { site, daemon in
                for tag in ["day", "night", "night"] {
                    #expect(try await site.tintype("still", "pattern", "--tag", tag).status == 0)
                }
                #expect(try await site.tintype("still", "pattern-2", "--tag", "night").status == 0)
                #expect(try await site.ids("all()").count == 4)
                #expect(try await site.ids("camera:pattern, tag:night").count == 2)
                #expect(try await site.ids("any(camera:pattern-*, tag:day)").count == 2)
                #expect(try await site.ids("not width:640").count == 1)
                #expect(try await site.ids("since:1h, verdict:intact").count == 4)
                let night = try await site.ids("camera:pattern, tag:night")
                #expect(try await site.tintype("frames", "pin", night[0]).text == "1 frame pinned\n")
                #expect(try await site.ids("pinned") == [night[0]])
                #expect(
                    try await site.tintype("frames", "tag", "--where", "pinned", "--add", "kept", "--remove", "night")
                        .status == 0
                )
                #expect(try await site.ids("tag:kept") == [night[0]])
                let paths = try await site.shell("tintype frames list --where 'not pinned' --format {path}").text
                #expect(try await site.tintype("frames", "rm", "--where", "all()").text == "3 frames deleted\n")
                for path in paths.split(separator: "\n") {
                    #expect(!FileManager.default.fileExists(atPath: String(path)), "\(path)")
                }
                #expect(try await site.ids("all()") == [night[0]])
                let gone = try await site.tintype("frames", "show", night[1])
                #expect(gone.status == ProblemCode.frameNotFound.exitStatus)
                // Deleted frames stay deleted after a restart.
                daemon.signal(SIGKILL)
                _ = try await daemon.outcome()
                _ = try await site.startDaemon([Self.pattern])
                #expect(try await site.ids("all()") == [night[0]])
                #expect(try await site.ids("pinned, tag:kept") == [night[0]])
            }
        }

        @Test func `an export has valid checksums and is a spool for another daemon`() async throws {
            try await Site.serving(Self.pattern) { site, daemon in
                for _ in 0..<3 { #expect(try await site.tintype("still").status == 0) }
                let folder = try await site.tintype("frames", "export", "--where", "all()", "-o", "copy")
                #expect(folder.status == 0 && folder.text.hasPrefix("3 pictures"), "\(folder.errors)")
                let checked = try await site.shell(
                    """
                    cd copy
                    python3 -c 'import json, sys
                    for line in sys.stdin: r = json.loads(line); print(r["sha256"] + "  " + r["file"])' \
                        < manifest.jsonl | sha256sum --check --strict
                    """
                )
                #expect(checked.status == 0, "\(checked.errors)\(checked.text)")
                #expect(checked.text.matches(of: /: OK/).count == 3)
                try await daemon.stop()
                _ = try await site.startDaemon([Self.pattern], spool: "\(site.folder)/copy")
                try await eventually("the pictures are taken in") { try await site.ids("source:reconcile").count == 3 }
            }
        }

        @Test func `a thumbnail is a whole picture of an intact frame`() async throws {
            try await Site.serving(Self.pattern) { site, _ in
                var record = try await site.still()
                func reply(width: Int) async throws -> ControlResponse {
                    let path = "/v1/frames/\(record.id)/thumbnail"
                    return try await site.client.send(ControlRequest("GET", path, query: [("width", "\(width)")]))
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
