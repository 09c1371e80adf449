// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import tintype

extension Processes {
    /// Promises and examples of docs/how-to/watching.md for programs that watch the spool.
    @Suite struct WatchingTests {
        @Test func `the shell example runs its command with the newest whole picture`() async throws {
            try await Site.serving("YUYV:320x180@60") { site, _ in
                _ = try await site.tintype("still")
                let folder = "\(site.spool)/pattern"
                let example = try Watcher("on-newest", in: site)
                try await example.running("'\(example.script)' '\(folder)' '\(example.notes.command)'") {
                    for number in 0..<20 {
                        let durability = Durability.allCases[number % 3]
                        let record = try await site.still(StillRequest(deadline: .patience, durability: durability))
                        let path = try #require(record.path)
                        try await eventually("\(path) is noted") { try example.notes.lines().last == path }
                    }
                    _ = try await site.tintype("burst", "--count", "10")
                    let newest = try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/latest.jpg")
                    try await eventually("the last of a burst is noted") {
                        try example.notes.lines().last == "\(folder)/\(newest)"
                    }
                }
                let lines = try example.notes.lines()
                #expect(lines.count >= 21 && !lines.contains { $0.hasPrefix("torn") }, "\(lines)")
                #expect(Set(lines).count == lines.count)
            }
        }

        @Test func `the Python example prints every picture once, also from new folders`() async throws {
            try await Site.serving("YUYV:320x180@60", "MJPG:320x180@60") { site, _ in
                let example = try Watcher("every-picture", in: site)
                let loop = "while read -r path; do '\(example.notes.command)' \"$path\"; done"
                let line = "'\(example.script)' '\(site.spool)' | \(loop)"
                var paths: [String] = []
                try await example.running(line) {
                    // Neither camera has a folder yet.
                    paths = try await withThrowingTaskGroup(of: [String].self) { group in
                        for number in 0..<4 {
                            group.addTask { try await Self.stills(site, of: ["pattern", "pattern-2"][number % 2]) }
                        }
                        return try await group.reduce(into: []) { $0 += $1 }
                    }
                    #expect(paths.count == 100)
                    try await eventually("all pictures are noted") { try example.notes.lines().count >= paths.count }
                    // As at the start of a month, but faster.
                    let picture = try Data(contentsOf: URL(filePath: try #require(paths.first)))
                    for number in 0..<100 {
                        paths.append(try Self.place(picture, in: "\(site.spool)/new-\(number)/2026/12/01", of: site))
                    }
                    try await eventually("pictures in new folders are noted") {
                        try example.notes.lines().count >= paths.count
                    }
                }
                let lines = try example.notes.lines()
                #expect(lines.filter { !paths.contains($0) } == [])
                #expect(paths.filter { !lines.contains($0) } == [])
                let counts: [String: Int] = Dictionary(lines.map { ($0, 1) }, uniquingKeysWith: +)
                #expect(counts.values.allSatisfy { $0 == 1 }, "\(counts.filter { $0.value > 1 })")
            }
        }

        @Test func `the Python example misses no picture on an inotify overflow`() async throws {
            try await Site.with { site in
                let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
                let count = try #require(Int(limit.trimmingCharacters(in: .newlines))) + 1000
                let incoming = "\(site.spool)/.incoming"
                try FileManager.default.createDirectory(atPath: incoming, withIntermediateDirectories: true)
                let example = try Watcher("every-picture", in: site)
                try await example.running("'\(example.script)' '\(site.spool)' >> '\(example.notes.path)'") {
                    let pid = try #require(example.pid())
                    kill(pid, SIGSTOP)
                    let made = try await site.python("fill-spool", [site.spool, "\(count)"])
                    #expect(made == "\(count)")
                    kill(pid, SIGCONT)
                    // The kernel decides the order, so the number of distinct paths tells the end.
                    try await eventually("all pictures are named", every: .milliseconds(100)) {
                        Set(try example.notes.lines()).count == count
                    }
                }
            }
        }

        @Test func `a picture is renamed into place and never modified`() async throws {
            try await Site.with { site in
                // No folder per day, because the next day may begin during the test.
                let configuration = "spool: {names: \"all/%Y%m%d-%H%M%S.%fZ-{sequence}\"}\n"
                _ = try await site.startDaemon(["YUYV:320x180@60"], configuration: configuration)
                _ = try await site.tintype("still")
                let folder = "\(site.spool)/pattern"
                let watcher = try Watcher(watching: "inotifywait", in: site)
                // All events except those of readers.
                let events = "-e create -e modify -e attrib -e close_write -e moved_to -e moved_from -e delete"
                let line = "inotifywait -q -m -r \(events) --format '%e %f' '\(folder)' >> '\(watcher.notes.path)'"
                var names: [String] = []
                // Folder of the camera and folder of its pictures.
                try await watcher.running(line, watching: 2) {
                    for number in 0..<30 {
                        let durability = Durability.allCases[number % 3]
                        let record = try await site.still(StillRequest(deadline: .patience, durability: durability))
                        names.append(try #require(record.path).split(separator: "/").last.map(String.init) ?? "")
                    }
                    try await eventually("the events of all pictures") {
                        try watcher.notes.lines().count >= 2 * names.count
                    }
                }
                let expected = names.flatMap { ["MOVED_TO \($0)", "MOVED_TO latest.jpg"] }
                #expect(try watcher.notes.lines().sorted() == expected.sorted())
            }
        }

        /// Takes 25 stills in sequence and returns their paths.
        private static func stills(_ site: Site, of camera: String) async throws -> [String] {
            try await site.client.withConnection { connection in
                var paths: [String] = []
                for number in 0..<25 {
                    let request = StillRequest(
                        fresh: .request,
                        deadline: .patience,
                        durability: Durability.allCases[number % 3]
                    )
                    paths.append(try #require(try await connection.still(request, of: camera).path))
                }
                return paths
            }
        }

        /// Moves a picture into a new folder like the daemon and returns its path.
        private static func place(_ picture: Data, in folder: String, of site: Site) throws -> String {
            let (from, to) = ("\(site.spool)/.incoming/placed", "\(folder)/000000.000000Z-000000001.jpg")
            try picture.write(to: URL(filePath: from))
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try #require(unsafe rename(from, to) == 0)
            return to
        }
    }
}
