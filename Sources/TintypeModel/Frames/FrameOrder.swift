// SPDX-License-Identifier: Apache-2.0

/// In which order frames are listed: by their ids, which is by the time of their exposure to the millisecond.
package enum FrameOrder: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// The newest first.
    case newest
    /// The oldest first.
    case oldest
}
