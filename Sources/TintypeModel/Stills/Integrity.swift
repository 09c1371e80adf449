// SPDX-License-Identifier: Apache-2.0

/// How whole a picture has to be.
package enum Integrity: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Without any fault that can be found: a JPEG picture is decoded, and any warning is damage.
    case strict
    /// With sound segments and an end, and with what this camera's pictures always have wrong.
    case tolerant
    /// Whatever the driver delivered; what is wrong with it is told.
    case raw
}
