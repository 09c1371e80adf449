// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The threads of this process.
enum Threads {
    /// Their names, from /proc.
    static var names: [String] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.compactMap { task in
            (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8))?
                .trimmingCharacters(in: .newlines)
        }
    }
}
