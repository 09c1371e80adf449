// SPDX-License-Identifier: Apache-2.0

/// A pixel format that we do not read ourselves: libv4lconvert makes one of ours of it.
///
/// Left out is what that library cannot be trusted with: formats whose decoder ends the process (`JL20`), starts another
/// one (`O511`, `O518`), calls the driver by itself (`M310`), needs every frame of the stream (`CPIA`), makes a picture of
/// anything without saying so (`905C`), or leaves its tables and buffers with frames that a camera may send (`S561`, `PJPG`,
/// `HM12`). So are H.264 and HEVC, whose frames are no pictures.
package struct ConvertedFormat: Hashable, Sendable {
    /// How the bytes of a frame lie in its buffer.
    package enum Storage: Hashable, Sendable {
        /// Rows of so many bits a pixel, each with padding behind it where the driver says so.
        case rows(bits: Int)
        /// So many bits a pixel in all, without rows that could be padded.
        case frame(bits: Int)
        /// As many bytes as it takes.
        case compressed
    }

    /// What is known of a frame that was converted.
    package enum Verdict: Hashable, Sendable {
        /// It is whole, or the library would have said so.
        case reliable
        /// The library makes a picture of whatever it gets: whether the frame has enough bytes has to be found out.
        case unchecked
    }

    /// The pixel format of the frames.
    package let pixelFormat: FourCC
    /// How its bytes lie.
    package let storage: Storage
    /// What it becomes: ``FourCC/rgb24`` or ``FourCC/yu12``.
    package let result: FourCC
    /// What width and height have to be multiples of.
    package let step: FrameSize
    /// Whether a frame that is no good can be told.
    package let verdict: Verdict

    private init(
        _ pixelFormat: FourCC,
        _ storage: Storage,
        to result: FourCC,
        _ width: Int = 2,
        _ height: Int = 2,
        _ verdict: Verdict = .reliable
    ) {
        self.pixelFormat = pixelFormat
        self.storage = storage
        self.result = result
        step = FrameSize(width: width, height: height)
        self.verdict = verdict
    }

    /// Why no picture of this size can be converted, from a small letter on; nil if one can.
    package func objection(to size: FrameSize) -> String? {
        let sides = 4...(storage == .compressed ? 2048 : 16_384)
        guard sides.contains(size.width), sides.contains(size.height) else {
            return
                "libv4lconvert takes \(pixelFormat) from 4x4 to \(sides.upperBound)x\(sides.upperBound), not \(size)."
        }
        guard size.width.isMultiple(of: step.width), size.height.isMultiple(of: step.height) else {
            return "libv4lconvert takes \(pixelFormat) in multiples of \(step), not \(size)."
        }
        return nil
    }

    /// Bits a pixel on the bus; for compressed formats what they have at most.
    package var bitsPerPixel: Double {
        switch storage {
        case .rows(let bits), .frame(let bits): Double(bits)
        case .compressed: 8
        }
    }

    /// All of them, those in most use first.
    package static let all: [ConvertedFormat] =
        [FourCC.sbggr8, .sgbrg8, .sgrbg8, .srggb8].map { Self($0, .rows(bits: 8), to: .rgb24) }
        + [FourCC.sbggr10, .sgbrg10, .sgrbg10, .srggb10].map { Self($0, .rows(bits: 16), to: .rgb24) }
        + [FourCC.sbggr10p, .sgbrg10p, .sgrbg10p, .srggb10p].map { Self($0, .rows(bits: 10), to: .rgb24, 4) }
        + [FourCC.sbggr16, .sgbrg16, .sgrbg16, .srggb16].map { Self($0, .rows(bits: 16), to: .rgb24) }
        + [
            Self(.y16, .rows(bits: 16), to: .yu12),
            Self(.y16be, .rows(bits: 16), to: .yu12),
            Self(.y10bpack, .frame(bits: 10), to: .yu12, 4),
            Self(.rgb565, .rows(bits: 16), to: .rgb24),
            Self(.spca501, .frame(bits: 12), to: .yu12, 16, 2),
            Self(.spca505, .frame(bits: 12), to: .yu12, 16, 2),
            Self(.spca508, .frame(bits: 12), to: .yu12, 16, 2),
            Self(.cit, .frame(bits: 12), to: .yu12),
            Self(.konica420, .frame(bits: 12), to: .yu12),
            Self(.m420, .frame(bits: 12), to: .yu12),
            Self(.sn9c20x, .frame(bits: 12), to: .yu12, 16, 8),
            Self(.stv0680, .frame(bits: 8), to: .rgb24),
            Self(.se401, .compressed, to: .rgb24),
            Self(.pac207, .compressed, to: .rgb24),
            Self(.jpgl, .compressed, to: .rgb24, 16, 4, .unchecked),
            Self(.sn9c10x, .compressed, to: .rgb24, 2, 2, .unchecked),
            Self(.sn9c2028, .compressed, to: .rgb24, 2, 2, .unchecked),
        ]

    fileprivate static let byPixelFormat = Dictionary(uniqueKeysWithValues: all.map { ($0.pixelFormat, $0) })
}

extension FourCC {
    /// How libv4lconvert makes a picture of this format; nil where we read it ourselves, or cannot.
    package var conversion: ConvertedFormat? { ConvertedFormat.byPixelFormat[self] }

    /// Whether frames of this format go through libv4lconvert.
    package var isConverted: Bool { conversion != nil }
}
