// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Threads of this process, from /proc/self/task.
package enum Threads {
    package static var count: Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []).count
    }

    package static var currentName: String {
        let name = (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
        return name.trimmingCharacters(in: .newlines)
    }
}
