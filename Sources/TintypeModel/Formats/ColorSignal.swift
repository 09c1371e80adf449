// SPDX-License-Identifier: Apache-2.0

/// Property of a colour encoding.
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

/// Colour encoding reported by a driver, with defaults for what it leaves open.
///
/// Range and matrix are converted (``ColorEncoding``); primaries and transfer function are only reported. Source: the
/// kernel documentation's "Colorspaces" chapter.
package struct ColorSignal: Hashable, Sendable {
    /// Name of each part, as in `bt709`.
    ///
    /// RGB has no matrix.
    package var parts: [ColorPart: String]
    /// Parts for which the driver reports a default or an unknown value.
    package var assumed: [ColorPart]

    package init(parts: [ColorPart: String], assumed: [ColorPart] = []) {
        self.parts = parts
        self.assumed = assumed
    }
}
