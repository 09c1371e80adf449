// SPDX-License-Identifier: Apache-2.0

/// What a stored still has survived by the time its reply is sent.
package enum Durability: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Written and named, not flushed: survives the daemon's end, not a power cut.
    case none
    /// The bytes are on the disk (fdatasync(2)), its name may not be: after a power cut it may be missing, never torn.
    case data
    /// Bytes, name and catalog row are on the disk: survives a power cut.
    case full
}
