// SPDX-License-Identifier: Apache-2.0

/// Y'CbCr matrix and quantization range (kernel documentation, “Colorspaces”; `ycbcr_enc` and `quantization`).
package struct ColorEncoding: Hashable, Sendable, Codable {
    package enum Matrix: String, Hashable, Sendable, Codable, CaseIterable {
        /// ITU-R BT.601, required by JFIF.
        case bt601
        /// ITU-R BT.709, common for high definition.
        case bt709
        /// SMPTE 240M, used by early high definition.
        case smpte240m
        /// ITU-R BT.2020 with non-constant luminance.
        case bt2020
    }

    package enum Range: String, Hashable, Sendable, Codable, CaseIterable {
        /// 0 to 255 for luma and chroma, required by JFIF.
        case full
        /// 16 to 235 for luma and RGB; 16 to 240 for chroma.
        case limited
    }

    package var matrix: Matrix
    package var range: Range

    package init(matrix: Matrix, range: Range) { (self.matrix, self.range) = (matrix, range) }

    /// Encoding of a JPEG file (JFIF 1.02); pictures in it need no conversion.
    package static let jfif = ColorEncoding(matrix: .bt601, range: .full)
}

package enum ColorPart: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable, WireType {
    /// Chromaticities of red, green and blue (`colorspace` of `v4l2_pix_format`).
    case primaries
    /// Transfer function (`xfer_func`).
    case transfer
    /// Y'CbCr matrix (`ycbcr_enc`).
    case matrix
    /// Quantization range (`quantization`).
    case range
}

/// Colour encoding reported by a driver, with defaults for what it leaves open; only range and matrix are converted.
package struct ColorSignal: Hashable, Sendable {
    /// Name of each part, as in `bt709`; RGB has no matrix.
    package var parts: [ColorPart: String]
    /// Parts for which the driver reports a default or an unknown value.
    package var assumed: [ColorPart]

    package init(parts: [ColorPart: String], assumed: [ColorPart] = []) {
        (self.parts, self.assumed) = (parts, assumed)
    }
}
