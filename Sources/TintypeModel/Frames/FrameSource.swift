// SPDX-License-Identifier: Apache-2.0

/// How a frame came into the spool.
package enum FrameSource: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// A client asked for it.
    case request
    /// A schedule of its camera published it.
    case publish
    /// Its file was found without a row, and taken in.
    case reconcile
}
