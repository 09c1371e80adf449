// SPDX-License-Identifier: Apache-2.0

/// How the numbers of a picture stand for colours: matrix and range.
///
/// Source: the kernel documentation's "Colorspaces" chapter; `ycbcr_enc` and `quantization` of `v4l2_pix_format`.
package struct ColorEncoding: Hashable, Sendable, Codable {
    /// The Y'CbCr matrix.
    package enum Matrix: String, Hashable, Sendable, Codable, CaseIterable {
        /// ITU-R BT.601, which JFIF prescribes.
        case bt601
        /// ITU-R BT.709, usual for high definition.
        case bt709
        /// SMPTE 240M, of early high definition.
        case smpte240m
        /// ITU-R BT.2020 with non-constant luminance.
        case bt2020
    }

    /// The values that stand for black and white.
    package enum Range: String, Hashable, Sendable, Codable, CaseIterable {
        /// 0 to 255 for luma and chroma alike, which JFIF prescribes.
        case full
        /// 16 to 235 for luma and for red, green and blue; 16 to 240 for chroma.
        case limited
    }

    /// The Y'CbCr matrix.
    package var matrix: Matrix
    /// The values that stand for black and white.
    package var range: Range

    /// An encoding of this matrix and range.
    package init(matrix: Matrix, range: Range) {
        self.matrix = matrix
        self.range = range
    }

    /// What a JPEG file holds (JFIF 1.02): BT.601, full range.
    ///
    /// A picture in it needs no correction.
    package static let jfif = ColorEncoding(matrix: .bt601, range: .full)
}
