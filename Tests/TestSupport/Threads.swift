// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The threads of this process, as the kernel has them (/proc/self/task).
package enum Threads {
    /// Their names.
    package static var names: [String] { tasks.compactMap(name) }

    /// The name of the calling thread.
    package static var currentName: String {
        let name = (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
        return name.trimmingCharacters(in: .newlines)
    }

    /// How long each thread whose name begins so has been on a processor (`/proc/PID/task/TID/schedstat`), in order of their ids.
    package static func processorTime(prefix: String) -> [Duration] {
        tasks.filter { name(of: $0)?.hasPrefix(prefix) == true }.compactMap { task in
            let stat = try? String(contentsOfFile: "/proc/self/task/\(task)/schedstat", encoding: .utf8)
            return stat?.split(separator: " ").first.flatMap { Int64($0) }.map { .nanoseconds($0) }
        }
    }

    private static var tasks: [Int] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []).compactMap { Int($0) }
            .sorted()
    }

    private static func name(of task: Int) -> String? {
        (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))?
            .trimmingCharacters(in: .newlines)
    }
}
