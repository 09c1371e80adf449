// SPDX-License-Identifier: Apache-2.0

/// Permission level of a client.
///
/// Each role includes all lower ones.
package enum Role: String, Hashable, Sendable, Codable, CaseIterable, Comparable, WireType {
    /// Reads status, stored frames, and pictures of cameras that are already running.
    case view
    /// Takes stills and watches live streams; both may open the camera.
    case still
    /// Changes controls, configurations and tags, starts and stops cameras.
    case control
    /// Deletes frames, reloads the configuration, reads hooks and the access of others.
    case admin

    package static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// All roles as text for messages.
    package static var words: String { "view, still, control or admin" }
}
