// SPDX-License-Identifier: Apache-2.0

/// What a client may do; each role may do what the ones before it may.
package enum Role: String, Hashable, Sendable, Codable, CaseIterable, Comparable, WireType {
    /// Sees the status, stored frames, and pictures of cameras that run already.
    case view
    /// Takes stills and watches cameras, which opens them.
    case still
    /// Changes controls, configurations and tags, starts and stops cameras.
    case control
    /// Deletes frames, reloads the configuration, sees the hooks and what others may do.
    case admin

    package static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// All of them, in words.
    package static var words: String { "view, still, control or admin" }
}
