// SPDX-License-Identifier: Apache-2.0

/// A part of what the numbers of a picture stand for.
package enum ColorPart: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable, WireType {
    /// Which red, green and blue are mixed (`colorspace` of `v4l2_pix_format`).
    case primaries
    /// How the numbers grow with the light (`xfer_func`).
    case transfer
    /// How luma and chroma are made of red, green and blue (`ycbcr_enc`).
    case matrix
    /// Which numbers black and white have (`quantization`).
    case range
}

/// What a driver says of the colours of its pictures, and what is taken for granted where it says nothing.
///
/// Range and matrix are corrected (``ColorEncoding``); primaries and transfer function are only told. Source: the kernel
/// documentation's "Colorspaces" chapter.
package struct ColorSignal: Hashable, Sendable {
    /// Each part by its name in the field, as in `bt709`; a picture of red, green and blue has no matrix.
    package var parts: [ColorPart: String]
    /// The parts that the driver leaves open, or says in a way that is not known.
    package var assumed: [ColorPart]

    /// A signal of these parts.
    package init(parts: [ColorPart: String], assumed: [ColorPart] = []) {
        self.parts = parts
        self.assumed = assumed
    }
}
