// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The threads of this process.
enum Threads {
    /// Their names, from /proc.
    static var names: [String] { tasks.compactMap(name) }

    /// How long each thread whose name begins so has been on a processor (`/proc/PID/task/TID/schedstat`), in order of their ids.
    static func processorTime(prefix: String) -> [Duration] {
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
