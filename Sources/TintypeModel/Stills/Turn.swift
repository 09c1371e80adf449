// SPDX-License-Identifier: Apache-2.0

/// By how much a picture is turned, clockwise, in degrees.
package enum Turn: Int, Hashable, Sendable, Codable, CaseIterable {
    /// Not at all.
    case none = 0
    /// A quarter.
    case quarter = 90
    /// Upside down.
    case half = 180
    /// Three quarters.
    case threeQuarters = 270

    /// Whether width and height change places.
    package var swapsSides: Bool { self == .quarter || self == .threeQuarters }
}

/// Which way a picture is mirrored.
package enum Flip: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Left and right change places.
    case horizontal
    /// Top and bottom change places.
    case vertical
}
