// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

/// A program that watches a spool, and what it notes.
struct Watcher {
    /// A file with a line for each picture, as it was when it was seen.
    struct Notes {
        let path: String
        /// Notes the picture that is its argument, with `torn` before it if djpeg finds anything wrong with it.
        let command: String

        func lines() throws -> [String] {
            guard FileManager.default.fileExists(atPath: path) else { return [] }
            let text = try String(contentsOfFile: path, encoding: .utf8)
            // A line that is being written counts once it is there.
            return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
    }

    let script: String
    let notes: Notes
    private let name: String
    private let site: Site

    /// The program that docs/watching.md shows as `name`, taken from there.
    init(_ name: String, in site: Site) throws {
        try self.init(watching: name, in: site)
        _ = try site.write(try Programs.block(name, of: "docs/watching.md") + "\n", to: name, isProgram: true)
    }

    /// A program of another name.
    init(watching name: String, in site: Site) throws {
        self.name = name
        self.site = site
        script = "\(site.folder)/\(name)"
        let path = "\(site.folder)/notes"
        let note = """
            #!/bin/bash
            if djpeg -outfile /dev/null "$1" 2> '\(site.folder)/complaints' && [ ! -s '\(site.folder)/complaints' ]; then
                echo "$1"
            else
                echo "torn $1"
            fi >> '\(path)'

            """
        notes = Notes(path: path, command: try site.write(note, to: "note", isProgram: true))
    }

    /// Runs a line of shell with the program in it; `body` begins once it watches so many folders, and all of it ends
    /// after that.
    func running(_ line: String, watching count: Int = 1, _ body: () async throws -> Void) async throws {
        // timeout(1), which has no limit here, hands the signal on to all processes of the line.
        let child = try site.start("/usr/bin/timeout", ["0", "/bin/bash", "-c", line])
        do {
            try await eventually("\(name) watches: \(child.errors)") { pid(watching: count) != nil }
            try await body()
        } catch {
            child.signal(SIGTERM)
            _ = try await child.outcome()
            throw error
        }
        child.signal(SIGTERM)
        let outcome = try await child.outcome()
        #expect(outcome.status == 128 + SIGTERM, "it ended before the signal, with \(outcome.status)")
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    }

    /// The process of that name, or inotifywait(1), that watches so many folders, from what the kernel says of its descriptors (proc(5)).
    func pid(watching count: Int = 1) -> pid_t? {
        let processes = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }
        return processes.first { pid in
            guard
                let command = try? String(contentsOfFile: "/proc/\(pid)/cmdline", encoding: .utf8),
                command.contains(site.folder), command.contains(name) || command.hasPrefix("inotifywait"),
                let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fdinfo")
            else { return false }
            return files.contains { file in
                let text = (try? String(contentsOfFile: "/proc/\(pid)/fdinfo/\(file)", encoding: .utf8)) ?? ""
                return text.split(separator: "\n").count { $0.hasPrefix("inotify wd:") } >= count
            }
        }
    }
}
