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

/// How whole a picture has to be.
package enum Integrity: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Without any fault that can be found: a JPEG picture is decoded, and any warning is damage.
    case strict
    /// With sound segments and an end, and with what this camera's pictures always have wrong.
    case tolerant
    /// As the driver delivered it; its faults are told.
    case raw
}

/// Whether a still waits until exposure and white balance have settled after a start of the stream.
package enum SettlePolicy: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// It waits for as long as settling may take on the camera, and no longer than the deadline leaves time for a frame;
    /// then it is taken all the same, and its record says so.
    case auto
    /// It waits; at the deadline there is none.
    case always
    /// It does not wait.
    case never
}
