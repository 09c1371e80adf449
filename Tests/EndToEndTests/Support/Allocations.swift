// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Allocation counts of a daemon by thread, from Tests/Support/allocations.c.
struct Allocations {
    private let library: String
    private let table: String

    var environment: [String: String] { ["LD_PRELOAD": library, "TINTYPE_ALLOCATIONS": table] }

    /// Compiles the library in the site's folder.
    init(_ site: Site) async throws {
        table = "\(site.folder)/allocations"
        library = try await site.library("allocations")
    }

    /// Number of allocations by the thread `name` of `child`, or nil before the first.
    func count(by name: String, of child: Child) throws -> UInt64? {
        let data = try Data(contentsOf: URL(filePath: table))
        return stride(from: 0, to: data.count, by: 16).lazy.compactMap { start -> UInt64? in
            let (thread, count) = (number(in: data, at: start), number(in: data, at: start + 8))
            let path = "/proc/\(child.pid)/task/\(thread)/comm"
            guard thread > 0, (try? String(contentsOfFile: path, encoding: .utf8)) == name + "\n" else { return nil }
            return count
        }.first
    }

    private func number(in data: Data, at start: Int) -> UInt64 {
        data[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
