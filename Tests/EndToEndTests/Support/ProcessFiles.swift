// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Glibc

/// Descriptors of a process, from /proc instead of its own report.
struct ProcessFiles {
    let pid: pid_t

    /// Targets of its descriptors.
    var open: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")) ?? []
        return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\($0)") }
    }

    /// Number of timers (timerfd_create(2)); each open pattern camera has one.
    var timers: Int { open.count { $0.contains("[timerfd]") } }
}
