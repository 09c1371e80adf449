// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes

/// Which methods each path knows, for `Allow` (RFC 9110, 15.5.6) and for comparison with the contract.
struct RouteTable: Sendable {
    /// The methods of each path as it is written in the contract.
    let methods: [String: [HTTPRequest.Method]]

    private struct Pattern {
        let segments: [Substring]
        let methods: [HTTPRequest.Method]
        /// How many of the segments stand for any text.
        var names: Int { segments.count { $0.hasPrefix("{") } }
    }

    private let patterns: [Pattern]

    init(_ routes: [(path: String, method: HTTPRequest.Method)]) {
        methods = Dictionary(grouping: routes, by: \.path)
            .mapValues { $0.map(\.method).sorted { $0.rawValue < $1.rawValue } }
        patterns = methods.map { Pattern(segments: Self.segments($0.key[...]), methods: $0.value) }
    }

    /// The methods of the path that `path` is one of; empty if there is none.
    func methods(of path: String) -> [HTTPRequest.Method] {
        let segments = Self.segments(path[...])
        let fitting = patterns.filter { pattern in
            pattern.segments.count == segments.count
                && zip(pattern.segments, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        // The one that says most, as the router takes it: `/v1/frames/query` is no frame.
        return fitting.min { $0.names < $1.names }?.methods ?? []
    }

    private static func segments(_ path: Substring) -> [Substring] { path.split(separator: "/") }
}
