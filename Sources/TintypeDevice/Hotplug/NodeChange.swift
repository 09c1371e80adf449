// SPDX-License-Identifier: Apache-2.0

/// What happened to a video node.
package enum NodeChange: Hashable, Sendable {
    /// It was made; its permissions and links may follow.
    case added(name: String)
    /// It was taken away.
    case removed(name: String)
    /// Something about it is different: its permissions, its links, or what it is bound to.
    case changed(name: String)
    /// Some changes were missed: anything may be different.
    case missed
}
