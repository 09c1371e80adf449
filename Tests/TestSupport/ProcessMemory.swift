// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The memory of this process in kilobytes, as the kernel has it (/proc/self/status, smaps_rollup).
package enum ProcessMemory {
    /// There is no such line.
    struct Unreadable: Error {}

    /// What is in use now.
    package static var resident: Int { get throws { try kilobytes("VmRSS") } }

    /// The most that was in use since ``forgetPeak()``.
    package static var peak: Int { get throws { try kilobytes("VmHWM") } }

    /// What was written to memory of its own: its share of what others have too would change as these come and go.
    package static var written: Int { get throws { try kilobytes("Private_Dirty", of: "smaps_rollup") } }

    /// Makes the most memory that was ever used the present one (proc(5), clear_refs).
    package static func forgetPeak() throws {
        try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    }

    private static func kilobytes(_ name: String, of file: String = "status") throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/\(file)", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        guard let value = line?.split(whereSeparator: \.isWhitespace).dropFirst().first, let count = Int(value) else {
            throw Unreadable()
        }
        return count
    }
}
