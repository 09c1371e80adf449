// SPDX-License-Identifier: Apache-2.0

/// Conversion of interlaced video, whose two fields are exposed at different times.
package enum Deinterlacing: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Top field only, every row doubled: one exposure, half the vertical resolution.
    case double
    /// Each row mixed with its neighbours, 1 : 2 : 1: moving objects appear twice and faint.
    case blend
    /// Both fields unchanged: full resolution for still scenes, comb artefacts on motion.
    case weave
}
