// SPDX-License-Identifier: Apache-2.0
internal import HTTPTypes

/// Which methods each path knows, for `Allow` (RFC 9110, 15.5.6) and for comparison with the contract.
struct RouteTable: Sendable {
    /// The methods of each path as it is written in the contract.
    let methods: [String: [HTTPRequest.Method]]

    private let patterns: [(segments: [Substring], methods: [HTTPRequest.Method])]

    init(_ routes: [(path: String, method: HTTPRequest.Method)]) {
        methods = Dictionary(grouping: routes, by: \.path)
            .mapValues { $0.map(\.method).sorted { $0.rawValue < $1.rawValue } }
        patterns = methods.map { (segments: Self.segments($0.key[...]), methods: $0.value) }
    }

    /// The methods of the path that `path` is one of; empty if there is none.
    func methods(of path: String) -> [HTTPRequest.Method] {
        let segments = Self.segments(path[...])
        return patterns.first { pattern in
            pattern.segments.count == segments.count
                && zip(pattern.segments, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }?.methods ?? []
    }

    private static func segments(_ path: Substring) -> [Substring] { path.split(separator: "/") }
}
