// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The threads of this process, as the kernel has them (/proc/self/task).
package enum Threads {
    /// How many there are.
    package static var count: Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []).count
    }

    /// The name of the calling thread.
    package static var currentName: String {
        let name = (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
        return name.trimmingCharacters(in: .newlines)
    }
}
