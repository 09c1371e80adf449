// SPDX-License-Identifier: Apache-2.0

/// How texts are written into a camera's pictures.
package struct OverlayStyle: Hashable, Sendable {
    /// A corner of the picture.
    package enum Corner: String, Hashable, Sendable, CaseIterable {
        case lowerLeft = "lower-left"
        case lowerRight = "lower-right"
        case upperLeft = "upper-left"
        case upperRight = "upper-right"

        /// Whether it is one of the two at the top.
        package var isUpper: Bool { self == .upperLeft || self == .upperRight }
        /// Whether it is one of the two at the right.
        package var isRight: Bool { self == .lowerRight || self == .upperRight }
    }

    /// The font's file, an absolute path.
    package var font: String
    /// The height of a line, in hundredths of the picture's height.
    package var percent: Double
    /// Where the text is.
    package var corner: Corner

    /// The font that Debian's package ``defaultFontPackage`` installs.
    package static let defaultFont = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
    /// See ``defaultFont``.
    package static let defaultFontPackage = "fonts-dejavu-core"
    /// The heights that a line can have, in hundredths of the picture's height.
    package static let percentRange: ClosedRange<Double> = 1...25

    /// A style of these parts.
    package init(font: String = defaultFont, percent: Double = 4, corner: Corner = .lowerLeft) {
        self.font = font
        self.percent = percent
        self.corner = corner
    }
}
