// SPDX-License-Identifier: Apache-2.0

/// What is made of a frame: the part of it, which way round, how large, and how it is compressed.
///
/// In this order: the crop, in pixels of the camera's picture; the flip; the turn; the scaling; the overlay. A client
/// that wants the same of one frame shares one encode.
package struct StillRendering: Hashable, Sendable {
    /// JPEG quality, 1 to 100; nil for that of the camera's configuration where the picture is compressed here.
    ///
    /// A picture that the camera compressed itself is compressed again for it.
    package var quality: Int?
    /// The width that the picture must not exceed, in pixels; nil for any.
    ///
    /// A picture is never made larger, and keeps its proportions.
    package var width: Int?
    /// The height that the picture must not exceed, in pixels; nil for any.
    package var height: Int?
    /// The part of the camera's picture; nil for all of it.
    package var crop: CropRectangle?
    /// By how much it is turned.
    package var turn: Turn
    /// Which way it is mirrored, before it is turned; nil for not at all.
    package var flip: Flip?
    /// Whether crop, flip and turn of a JPEG picture must leave its compressed data as it is: an error where they cannot.
    ///
    /// Nil where they do so if the result is exactly what is asked for, and the picture is compressed again if not.
    package var isLossless: Bool?
    /// A text that is written into the picture, with the fields of strftime(3) for its capture time; nil for none.
    package var overlay: String?

    /// A rendering; what is left out leaves the picture as it is.
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
        self.quality = quality
        self.width = width
        self.height = height
        self.crop = crop
        self.turn = turn
        self.flip = flip
        self.isLossless = isLossless
        self.overlay = overlay
    }

    /// The JPEG qualities that can be asked for.
    package static let qualityRange = 1...100
    /// The widths and heights that can be asked for, in pixels.
    package static let sideRange = 1...65_500
    /// The lengths that an overlay can have, in characters.
    package static let overlayRange = 1...200

    /// Whether the pixels lie as the camera delivered them, however many of them there are.
    package var keepsOrientation: Bool { turn == .none && flip == nil }
}

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
