// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What this process has mapped into its memory (proc_pid_maps(5)).
enum Mappings {
    /// The list cannot be read.
    struct Unreadable: Error {}

    /// How many mappings there are of the file or node at `path`.
    static func count(of path: String) throws -> Int {
        // Not by String(contentsOfFile:), which takes the first read(2) of a file without a size for all of it.
        guard let list = try FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd() else { throw Unreadable() }
        return String(decoding: list, as: UTF8.self).split(separator: "\n").count { $0.hasSuffix(path) }
    }
}
