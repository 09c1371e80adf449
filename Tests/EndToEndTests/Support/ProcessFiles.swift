// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc

/// What a process has open and which threads it has, from /proc: seen from outside, not from its own record.
struct ProcessFiles {
    let pid: pid_t

    /// What its descriptors are.
    var open: [String] {
        names(of: "fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\($0)")
        }
    }

    /// Its timers (timerfd_create(2)): a pattern camera that is open is one of them.
    var timers: Int { open.count { $0.contains("[timerfd]") } }

    /// The timers that go off again and again, by their interval in nanoseconds (proc(5), fdinfo): pattern cameras that
    /// stream, and nothing else.
    var running: [Int] {
        names(of: "fd").compactMap { name in
            guard
                let text = try? String(contentsOfFile: "/proc/\(pid)/fdinfo/\(name)", encoding: .utf8),
                let match = text.firstMatch(of: /it_interval: \(([0-9]+), ([0-9]+)\)/),
                let seconds = Int(match.1), let nanoseconds = Int(match.2), seconds + nanoseconds > 0
            else { return nil }
            return seconds * 1_000_000_000 + nanoseconds
        }.sorted()
    }

    /// The names of its threads that have one of their own; those of the cooperative pool (libdispatch's) come and go.
    var threads: [String] {
        let own = comm("")
        return names(of: "task").map { comm("task/\($0)/") }
            .filter { $0 != own && !$0.hasSuffix("-qos") && !$0.hasSuffix("-qos.overcommit") }
            .sorted()
    }

    private func comm(_ place: String) -> String {
        ((try? String(contentsOfFile: "/proc/\(pid)/\(place)comm", encoding: .utf8)) ?? "")
            .trimmingCharacters(in: .newlines)
    }

    private func names(of folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/\(folder)")) ?? []
    }
}
