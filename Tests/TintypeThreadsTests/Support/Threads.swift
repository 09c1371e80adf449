// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What the kernel says of this process's threads.
enum Threads {
    /// The name of the calling thread, from /proc.
    static var currentName: String {
        let name = (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
        return name.trimmingCharacters(in: .newlines)
    }
}
