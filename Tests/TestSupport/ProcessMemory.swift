// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Memory of this process in kilobytes, from /proc/self/status and smaps_rollup.
package enum ProcessMemory {
    /// Error of a missing line.
    struct Unreadable: Error {}

    package static var resident: Int { get throws { try kilobytes("VmRSS") } }

    /// Peak of the resident memory since ``forgetPeak()``.
    package static var peak: Int { get throws { try kilobytes("VmHWM") } }

    /// Private dirty memory; shared pages are excluded, because they change as other processes come and go.
    package static var written: Int { get throws { try kilobytes("Private_Dirty", of: "smaps_rollup") } }

    /// Resets the peak to the present resident memory (proc(5), clear_refs).
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
