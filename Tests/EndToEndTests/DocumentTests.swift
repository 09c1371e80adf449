// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TestSupport
internal import Testing

extension Processes {
    /// Runs every block of commands in README.md and docs/, except those named for another test
    /// (`<!-- run: NAME -->`) and those of not-run.txt.
    @Suite struct DocumentTests {
        /// Line of not-run.txt.
        private struct Exception {
            let document: Substring
            let words: Substring

            func excludes(_ block: Document.Block, of path: String) -> Bool {
                path == document && block.name == nil && block.isCommands && block.text.contains(words)
            }

            static func all() throws -> [Exception] {
                try Repository.text("Tests/EndToEndTests/not-run.txt").split(separator: "\n").filter {
                    !$0.hasPrefix("#")
                }.map { line in
                    let fields = line.split(separator: " | ", maxSplits: 2)
                    try #require(fields.count == 3, "\(line)")
                    return Exception(document: fields[0], words: fields[1])
                }
            }
        }

        @Test(arguments: Document.paths)
        func `the commands of a document succeed`(_ path: String) async throws {
            let exceptions = try Exception.all()
            let blocks = try Document(path).blocks.filter { block in
                block.isCommands && block.name == nil && !exceptions.contains { $0.excludes(block, of: path) }
            }
            if !blocks.isEmpty { try await Self.run(blocks.map(\.text)) }
        }

        @Test func `each named block is read by a test, and each exception is for one block`() throws {
            let documents = try Document.paths.map(Document.init)
            let tests = try Self.texts(in: ["Tests/EndToEndTests", "Tests/Clients", "Tests/VirtualMachine/guests"])
            for document in documents {
                for name in document.blocks.compactMap(\.name) {
                    let isRead = tests.contains { test in
                        test.contains(document.path)
                            && (test.contains("\"\(name)\"") || test.contains("as_written \(name)"))
                    }
                    #expect(isRead, "\(document.path): no test runs the block \(name).")
                }
            }
            for exception in try Exception.all() {
                let count = documents.map { document in
                    document.blocks.count { exception.excludes($0, of: document.path) }
                }.reduce(0, +)
                #expect(count == 1, "\(exception.document) has \(count) blocks with “\(exception.words)”.")
            }
        }

        @Test func `README has at most 1000 words, docs 24,000, and CONTRIBUTING lists every top-level entry`() throws {
            func words(_ path: String) throws -> Int {
                try Repository.text(path).split(whereSeparator: \.isWhitespace).count
            }
            #expect(try words("README.md") <= 1000)
            #expect(try Document.paths.filter { $0.hasPrefix("docs/") }.reduce(0) { try $0 + words($1) } <= 24_000)
            let text = try Repository.text("CONTRIBUTING.md")
            let ignored = Set([".git", ".build", ".build-install", ".build-still", "Package.resolved"])
            for entry in try FileManager.default.contentsOfDirectory(atPath: Repository.folder.path)
            where !ignored.contains(entry) {
                #expect(text.contains("`\(entry)`") || text.contains("`\(entry)/`"), "\(entry)")
            }
        }

        /// Runs blocks in the folder of a daemon that has a stored picture, and the camera that they name.
        private static func run(_ blocks: [String]) async throws {
            let all = blocks.joined()
            let camera = ["pattern", "front", "door"].first { all.contains(" \($0)") || all.contains("/\($0)") }
            let configuration = """
                tcp: {port: 0}
                cameras: {\(camera ?? "pattern"): {pattern: "YUYV:1280x720@30", ring: {seconds: 5}}}

                """
            try await Site.with { site in
                let tokens = "\(site.folder)/tokens"
                let token = try await site.tintype("token", "--add", "me", "--role", "admin", "--file", tokens)
                let daemon = try await site.startDaemon([], configuration: configuration)
                let port = try await daemon.port
                #expect(try await site.tintype("still").status == 0)
                for block in blocks {
                    let outcome = try await site.shell(
                        """
                        set +o pipefail
                        TOKEN=\(token.text.trimmingCharacters(in: .newlines))
                        sudo() {
                            [ "$1" != -u ] || shift 2
                            case $1 in
                            sqlite3 | tee | tintype | tintyped) "$@" ;;
                            *) echo "sudo $1: this block belongs into not-run.txt" >&2 && return 1 ;;
                            esac
                        }
                        tintyped() { command tintyped --config tintyped.yaml "$@"; }
                        \(here(block, site, port))
                        """
                    )
                    #expect(outcome.status == 0, "\(block)\n\(outcome.text)\(outcome.errors)")
                    #expect(!outcome.text.contains("\"code\":"), "\(block)\n\(outcome.text)")
                }
            }
        }

        /// A block with the site's paths and port, deadlines of ten minutes, and shorter recordings.
        private static func here(_ block: String, _ site: Site, _ port: String) -> String {
            block.replacing("/run/tintype/tintyped.sock", with: site.socket)
                .replacing("/var/lib/tintype/spool", with: site.spool)
                .replacing("/var/lib/tintype", with: site.folder)
                .replacing("127.0.0.1:8642", with: "127.0.0.1:\(port)")
                .replacing("token --add", with: "token --file \(site.folder)/tokens --add")
                .replacing("--deadline 2s", with: "--deadline 10m")
                .replacing(#""fresh": "next""#, with: #""fresh": "next", "deadlineMs": 600000"#)
                .replacing(/still\.jpg(\?)?/) { "still.jpg?deadlineMs=600000" + ($0.1 == nil ? "" : "&") }
                .replacing("-t 10 ", with: "-t 1 ")
                .replacing("head -c 2M", with: "head -c 100k")
                // Of crontab(5).
                .replacing(#/(?m)^ *\*/10 \* \* \* \* /#, with: "")
        }

        private static func texts(in folders: [String]) throws -> [String] {
            try folders.flatMap { folder in
                try FileManager.default.subpathsOfDirectory(atPath: Repository.folder.appending(path: folder).path)
                    .compactMap { try? Repository.text("\(folder)/\($0)") }
            }
        }
    }
}
