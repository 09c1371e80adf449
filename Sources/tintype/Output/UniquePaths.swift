// SPDX-License-Identifier: Apache-2.0

/// Generates unique paths.
struct UniquePaths {
    private var taken: Set<String>

    /// Avoids the paths in `taken`, too.
    init(besides taken: Set<String> = []) { self.taken = taken }

    /// Reserves `path` or, if taken, the path with `-2`, `-3` and so on before its extension.
    mutating func add(_ path: String) -> String {
        let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let dot = path[name...].dropFirst().lastIndex(of: ".") ?? path.endIndex
        var free = path
        var attempt = 1
        while !taken.insert(free).inserted {
            attempt += 1
            free = "\(path[..<dot])-\(attempt)\(path[dot...])"
        }
        return free
    }
}
