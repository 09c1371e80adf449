// SPDX-License-Identifier: Apache-2.0

/// Pixel format that libv4lconvert converts, because tintype does not read it.
///
/// Only uncompressed formats whose conversion stays within frame and picture for any contents, given even sides and a
/// whole frame: found by fuzzing libv4lconvert 1.22.1 with AddressSanitizer. H.264 and HEVC frames are not pictures.
package struct ConvertedFormat: Hashable, Sendable {
    package enum Storage: Hashable, Sendable {
        /// Rows of `bits` per pixel, with the driver's padding.
        case rows(bits: Int)
        /// `bits` per pixel in total, without padding between rows.
        case frame(bits: Int)
    }

    package let pixelFormat: FourCC
    package let storage: Storage
    /// ``FourCC/rgb24`` or ``FourCC/yu12``.
    package let result: FourCC
    /// Width and height must be multiples of this.
    package let step: FrameSize

    private init(_ pixelFormat: FourCC, _ storage: Storage, to result: FourCC, _ width: Int = 2) {
        (self.pixelFormat, self.storage, self.result) = (pixelFormat, storage, result)
        step = FrameSize(width: width, height: 2)
    }

    /// Accepted widths and heights; for smaller pictures the white balance of libv4lconvert divides by zero.
    package static let sides = 8...16_384

    /// Reason why pictures of this size cannot be converted, beginning in lowercase; nil if they can.
    package func objection(to size: FrameSize) -> String? {
        guard Self.sides.contains(size.width), Self.sides.contains(size.height) else {
            return "libv4lconvert takes \(pixelFormat) from 8x8 to 16384x16384, not \(size)."
        }
        guard size.width.isMultiple(of: step.width), size.height.isMultiple(of: step.height) else {
            return "libv4lconvert takes \(pixelFormat) in multiples of \(step), not \(size)."
        }
        return nil
    }

    package var bitsPerPixel: Double {
        switch storage {
        case .rows(let bits), .frame(let bits): Double(bits)
        }
    }

    /// Supported formats, most common first.
    package static let all: [ConvertedFormat] =
        [FourCC.sbggr8, .sgbrg8, .sgrbg8, .srggb8].map { Self($0, .rows(bits: 8), to: .rgb24) }
        + FourCC.bayer10.map { Self($0, .rows(bits: 16), to: .rgb24) }
        + FourCC.bayer10Packed.map { Self($0, .rows(bits: 10), to: .rgb24, 4) }
        + FourCC.bayer16.map { Self($0, .rows(bits: 16), to: .rgb24) }
        + [
            Self(.y16, .rows(bits: 16), to: .yu12),
            Self(.y16be, .rows(bits: 16), to: .yu12),
            Self(.y10bpack, .frame(bits: 10), to: .yu12, 4),
            Self(.rgb565, .rows(bits: 16), to: .rgb24),
            Self(FourCC("C", "I", "T", "V"), .frame(bits: 12), to: .yu12),  // Xirlink C-It (V4L2_PIX_FMT_CIT_YYVYUY)
            Self(FourCC("K", "O", "N", "I"), .frame(bits: 12), to: .yu12),  // V4L2_PIX_FMT_KONICA420
            Self(.m420, .frame(bits: 12), to: .yu12),
            Self(FourCC("S", "6", "8", "0"), .frame(bits: 8), to: .rgb24),  // V4L2_PIX_FMT_STV0680
        ]

    fileprivate static let byPixelFormat = Dictionary(uniqueKeysWithValues: all.map { ($0.pixelFormat, $0) })
}

extension FourCC {
    /// Conversion by libv4lconvert; nil if tintype reads the format itself or does not support it.
    package var conversion: ConvertedFormat? { ConvertedFormat.byPixelFormat[self] }

    package var isConverted: Bool { conversion != nil }

    // Names as in linux/videodev2.h. ConvertedFormat lists the conversions.

    /// Bayer, 8 bits, B G over G R (`V4L2_PIX_FMT_SBGGR8`).
    package static let sbggr8 = FourCC("B", "A", "8", "1")
    /// Bayer, 8 bits, G B over R G (`V4L2_PIX_FMT_SGBRG8`).
    package static let sgbrg8 = FourCC("G", "B", "R", "G")
    /// Bayer, 8 bits, G R over B G (`V4L2_PIX_FMT_SGRBG8`).
    package static let sgrbg8 = FourCC("G", "R", "B", "G")
    /// Bayer, 8 bits, R G over G B (`V4L2_PIX_FMT_SRGGB8`).
    package static let srggb8 = FourCC("R", "G", "G", "B")
    /// Bayer, 10 bits in 16, in the order of the formats above (`V4L2_PIX_FMT_SBGGR10` to `SRGGB10`).
    package static let bayer10 = [
        FourCC("B", "G", "1", "0"), FourCC("G", "B", "1", "0"), FourCC("B", "A", "1", "0"), FourCC("R", "G", "1", "0"),
    ]
    /// Bayer, 10 bits, packed, in the same order (`V4L2_PIX_FMT_SBGGR10P` to `SRGGB10P`).
    package static let bayer10Packed = [
        FourCC("p", "B", "A", "A"), FourCC("p", "G", "A", "A"), FourCC("p", "g", "A", "A"), FourCC("p", "R", "A", "A"),
    ]
    /// Bayer, 16 bits, in the same order (`V4L2_PIX_FMT_SBGGR16` to `SRGGB16`).
    package static let bayer16 = [
        FourCC("B", "Y", "R", "2"), FourCC("G", "B", "1", "6"), FourCC("G", "R", "1", "6"), FourCC("R", "G", "1", "6"),
    ]
    /// Luma only, 16 bits, little-endian (`V4L2_PIX_FMT_Y16`).
    package static let y16 = FourCC("Y", "1", "6", " ")
    /// Luma only, 16 bits, big-endian (`V4L2_PIX_FMT_Y16_BE`).
    package static let y16be = FourCC(rawValue: y16.rawValue | 0x8000_0000)
    /// Luma only, 10 bits, packed (`V4L2_PIX_FMT_Y10BPACK`).
    package static let y10bpack = FourCC("Y", "1", "0", "B")
    /// R G B, 5, 6 and 5 bits (`V4L2_PIX_FMT_RGB565`).
    package static let rgb565 = FourCC("R", "G", "B", "P")
    /// 4:2:0, alternating two rows of luma and one of chroma (`V4L2_PIX_FMT_M420`).
    package static let m420 = FourCC("M", "4", "2", "0")
}
