// SPDX-License-Identifier: Apache-2.0

/// Transformation and compression of a frame.
///
/// Applied in this order: crop, in pixels of the camera's picture; flip; turn; scaling; overlay. Clients that request
/// equal renderings of one frame share one encode.
package struct ImageOptions: Hashable, Sendable {
    /// 1 to 100, which recompresses the camera's JPEG; nil for the configured quality where the daemon compresses.
    package var quality: Int?
    /// Maximum width in pixels; pictures are never enlarged and keep their aspect ratio.
    package var width: Int?
    package var height: Int?
    package var crop: CropRectangle?
    package var turn: Turn
    package var flip: Flip?
    /// True to fail where crop, flip or turn of a JPEG need recompression, nil to recompress there, false to always.
    package var isLossless: Bool?
    /// Text drawn into the picture; strftime(3) conversions use the capture time.
    package var overlay: String?

    package init(
        quality: Int? = nil,
        width: Int? = nil,
        height: Int? = nil,
        crop: CropRectangle? = nil,
        turn: Turn = .none,
        flip: Flip? = nil,
        isLossless: Bool? = nil,
        overlay: String? = nil
    ) {
        (self.quality, self.width, self.height, self.crop) = (quality, width, height, crop)
        (self.turn, self.flip, self.isLossless, self.overlay) = (turn, flip, isLossless, overlay)
    }

    package static let qualityRange = 1...100
    package static let sideRange = 1...65_500
    /// Accepted overlay lengths in characters.
    package static let overlayRange = 1...200
    package var keepsOrientation: Bool { turn == .none && flip == nil }
}

/// Clockwise rotation in degrees.
package enum Turn: Int, Hashable, Codable, CaseIterable, WireType {
    case none = 0
    case quarter = 90
    case half = 180
    case threeQuarters = 270
    package static let schema = Int.schema.adding(["enum": .list(allCases.map { .integer($0.rawValue) })])
    package static func read(_ value: FieldValue, at path: String) -> Turn? {
        Int(field: value, at: path).flatMap(Turn.init)
    }
    package static func fault(in value: FieldValue, by schema: OrderedJSON) -> (wrong: String, remedy: String) {
        ("is none of 0, 90, 180 and 270.", "Give one of these numbers: degrees, clockwise.")
    }

    package var swapsSides: Bool { self == .quarter || self == .threeQuarters }
}

package enum Flip: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    /// Exchanges left and right.
    case horizontal
    /// Exchanges top and bottom.
    case vertical
}

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
        (self.font, self.percent, self.corner) = (font, percent, corner)
    }
}
