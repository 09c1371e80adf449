// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

/// Program that watches a spool, with its notes.
struct Watcher {
    /// File with a line for each picture seen.
    struct Notes {
        let path: String
        /// Script that notes its argument, with `torn` before it if djpeg reports a fault.
        let command: String

        func lines() throws -> [String] {
            guard FileManager.default.fileExists(atPath: path) else { return [] }
            let text = try String(contentsOfFile: path, encoding: .utf8)
            // Complete lines only.
            return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
    }

    let script: String
    let notes: Notes
    private let name: String
    private let site: Site

    /// Copies the program `name` of packaging/examples.
    init(_ name: String, in site: Site) throws {
        try self.init(watching: name, in: site)
        _ = try site.write(try Repository.text("packaging/examples/\(name)"), to: name, isProgram: true)
    }

    /// Creates a watcher for another program.
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

    /// Runs a shell line, calls `body` once the program watches `count` folders, and ends the line after it.
    func running(_ line: String, watching count: Int = 1, _ body: () async throws -> Void) async throws {
        // timeout(1), without a limit here, forwards the signal to all processes of the line.
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

    /// Program or inotifywait(1) that watches at least `count` folders, from fdinfo (proc(5)).
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
