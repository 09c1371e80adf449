// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Memory mappings of this process (proc_pid_maps(5)).
enum Mappings {
    struct Unreadable: Error {}

    /// Returns the number of mappings of the file or node at `path`.
    static func count(of path: String) throws -> Int {
        // String(contentsOfFile:) would take the first read(2) of a file without a size for all of it.
        guard let list = try FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd() else { throw Unreadable() }
        return String(decoding: list, as: UTF8.self).split(separator: "\n").count { $0.hasSuffix(path) }
    }
}
