// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc

/// Descriptors and threads of a process, from /proc instead of its own report.
struct ProcessFiles {
    let pid: pid_t

    /// Targets of its descriptors.
    var open: [String] {
        names(of: "fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\($0)")
        }
    }

    /// Number of timers (timerfd_create(2)); each open pattern camera has one.
    var timers: Int { open.count { $0.contains("[timerfd]") } }

    /// Intervals of the periodic timers in nanoseconds (proc(5), fdinfo): only streaming pattern cameras have one.
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

    /// Names of its named threads, without those of the cooperative pool (libdispatch), which come and go.
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
