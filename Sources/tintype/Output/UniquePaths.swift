// SPDX-License-Identifier: Apache-2.0

/// Paths of which no two are the same.
struct UniquePaths {
    private var taken: Set<String>

    /// Paths that differ from `taken`, too.
    init(besides taken: Set<String> = []) { self.taken = taken }

    /// `path` or, where that is taken, the same with `-2`, `-3` and so on before its end; it is taken from now on.
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
