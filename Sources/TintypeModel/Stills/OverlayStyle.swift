// SPDX-License-Identifier: Apache-2.0

package struct OverlayStyle: Hashable, Sendable {
    package enum Corner: String, Hashable, Sendable, CaseIterable {
        case lowerLeft = "lower-left"
        case lowerRight = "lower-right"
        case upperLeft = "upper-left"
        case upperRight = "upper-right"

        package var isUpper: Bool { self == .upperLeft || self == .upperRight }
        package var isRight: Bool { self == .lowerRight || self == .upperRight }
    }

    /// Absolute path of the font file.
    package var font: String
    /// Line height in percent of the picture height.
    package var percent: Double
    package var corner: Corner

    /// Font file of the Debian package ``defaultFontPackage``.
    package static let defaultFont = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
    package static let defaultFontPackage = "fonts-dejavu-core"
    package static let percentRange: ClosedRange<Double> = 1...25

    package init(font: String = defaultFont, percent: Double = 4, corner: Corner = .lowerLeft) {
        self.font = font
        self.percent = percent
        self.corner = corner
    }
}
