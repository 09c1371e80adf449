// SPDX-License-Identifier: Apache-2.0

/// Four-character code of a pixel format (`v4l2_fourcc` in linux/videodev2.h).
package struct FourCC: Hashable, Sendable, TextCodable, WireType {
    /// First character in the lowest byte.
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Parses a ``description``: one to four printable ASCII characters, padded with spaces, then `-BE` for a
    /// big-endian format; or `0x` and eight hexadecimal digits.
    package init?(_ name: String) {
        if name.hasPrefix("0x"), name.count == 10, let code = UInt32(name.dropFirst(2), radix: 16) {
            self.init(rawValue: code)
            return
        }
        if name.hasSuffix("-BE"), let littleEndian = FourCC(String(name.dropLast(3))) {
            self.init(rawValue: littleEndian.rawValue | 0x8000_0000)
            return
        }
        let bytes = Array(name.utf8)
        guard (1...4).contains(bytes.count), bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
        let padded = bytes + Array(repeating: 0x20, count: 4 - bytes.count)
        self.init(rawValue: padded.reversed().reduce(0) { $0 << 8 | UInt32($1) })
    }

    init(_ first: UnicodeScalar, _ second: UnicodeScalar, _ third: UnicodeScalar, _ fourth: UnicodeScalar) {
        self.init(rawValue: fourth.value << 24 | third.value << 16 | second.value << 8 | first.value)
    }

    // In parentheses: the name after V4L2_PIX_FMT_ in linux/videodev2.h.
    package static let yuyv = FourCC("Y", "U", "Y", "V")  // 4:2:2, packed as Y U Y V (YUYV)
    package static let uyvy = FourCC("U", "Y", "V", "Y")  // 4:2:2, packed as U Y V Y (UYVY)
    package static let yvyu = FourCC("Y", "V", "Y", "U")  // 4:2:2, packed as Y V Y U (YVYU)
    package static let vyuy = FourCC("V", "Y", "U", "Y")  // 4:2:2, packed as V Y U Y (VYUY)
    package static let nv16 = FourCC("N", "V", "1", "6")  // 4:2:2, a plane of luma and one of U V pairs (NV16)
    package static let nv61 = FourCC("N", "V", "6", "1")  // 4:2:2, a plane of luma and one of V U pairs (NV61)
    package static let nv12 = FourCC("N", "V", "1", "2")  // 4:2:0, a plane of luma and one of U V pairs (NV12)
    package static let nv21 = FourCC("N", "V", "2", "1")  // 4:2:0, a plane of luma and one of V U pairs (NV21)
    package static let yu12 = FourCC("Y", "U", "1", "2")  // 4:2:0 in three planes, Y U V (YUV420)
    package static let yv12 = FourCC("Y", "V", "1", "2")  // 4:2:0 in three planes, Y V U (YVU420)
    package static let yuv422p = FourCC("4", "2", "2", "P")  // 4:2:2 in three planes, Y U V (YUV422P)
    package static let grey = FourCC("G", "R", "E", "Y")  // Luma only, 8 bits (GREY)
    package static let y10 = FourCC("Y", "1", "0", " ")  // Luma only, 10 bits in 16, little-endian (Y10)
    package static let y12 = FourCC("Y", "1", "2", " ")  // Luma only, 12 bits in 16, little-endian (Y12)
    package static let rgb24 = FourCC("R", "G", "B", "3")  // R G B, 8 bits each (RGB24)
    package static let bgr24 = FourCC("B", "G", "R", "3")  // B G R, 8 bits each (BGR24)
    package static let xrgb32 = FourCC("B", "X", "2", "4")  // X R G B, 8 bits each, X first in memory (XRGB32)
    package static let xbgr32 = FourCC("X", "R", "2", "4")  // B G R X, 8 bits each, X last in memory (XBGR32)
    package static let rgbx32 = FourCC("X", "B", "2", "4")  // R G B X, 8 bits each, R first in memory (RGBX32)
    package static let bgrx32 = FourCC("R", "X", "2", "4")  // X B G R, 8 bits each, X first in memory (BGRX32)
    package static let rgb32 = FourCC("R", "G", "B", "4")  // Older code of xrgb32; the first byte may be alpha (RGB32)
    package static let bgr32 = FourCC("B", "G", "R", "4")  // Older code of xbgr32; the last byte may be alpha (BGR32)
    package static let mjpeg = FourCC("M", "J", "P", "G")  // Motion JPEG, one picture per buffer (MJPEG)
    package static let jpeg = FourCC("J", "P", "E", "G")  // JFIF JPEG, one picture per buffer; treated as mjpeg (JPEG)
    package var isJPEG: Bool { self == .mjpeg || self == .jpeg }

    /// True for RGB and Bayer, whose default quantization is full range.
    package var isRGB: Bool {
        switch self {
        case .rgb24, .bgr24, .xrgb32, .xbgr32, .rgbx32, .bgrx32, .rgb32, .bgr32: true
        default: conversion?.result == .rgb24
        }
    }

    package var isGrey: Bool {
        switch self {
        case .grey, .y10, .y12, .y16, .y16be, .y10bpack: true
        default: false
        }
    }

    package var hasChroma: Bool { !isRGB && !isGrey }
    /// True if luma has more than 8 bits, stored in two bytes.
    package var isDeepGrey: Bool { self == .y10 || self == .y12 }

    package static let raw: [FourCC] = [
        .yuyv, .uyvy, .yvyu, .vyuy, .nv12, .nv21, .nv16, .nv61, .yu12, .yv12, .yuv422p, .grey, .y10, .y12, .rgb24,
        .bgr24, .xrgb32, .xbgr32, .rgbx32, .bgrx32, .rgb32, .bgr32,
    ]

    /// Formats that stills can be made from: those read by tintype, then those converted by libv4lconvert.
    package static let supported: [FourCC] =
        [.mjpeg, .jpeg] + raw + SeveralBuffers.all.map(\.pixelFormat) + ConvertedFormat.all.map(\.pixelFormat)

    /// Characters without trailing spaces, `-BE` for bit 31 (big-endian) as in v4l2-ctl; else hexadecimal.
    package var description: String {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: (rawValue & 0x7FFF_FFFF) >> (8 * $0)) }
        guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }), bytes[0] != 0x20 else {
            let digits = String(rawValue, radix: 16)
            return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
        }
        let name = String(decoding: bytes.reversed().drop { $0 == 0x20 }.reversed(), as: UTF8.self)
        return rawValue & 0x8000_0000 == 0 ? name : name + "-BE"
    }

    /// Nil for formats with one buffer per frame.
    package var severalBuffers: SeveralBuffers? { SeveralBuffers.all.first { $0.pixelFormat == self } }
    package var inOneBuffer: FourCC { severalBuffers?.whole ?? self }
}

/// Multi-planar pixel format with one buffer per plane (kernel documentation, “Multi-planar format structure”).
package struct SeveralBuffers: Hashable, Sendable {
    package let pixelFormat: FourCC
    package let whole: FourCC
    package let count: Int

    /// NV12M, NV21M, NV16M, NV61M, YUV420M, YVU420M and YUV422M of linux/videodev2.h.
    package static let all: [SeveralBuffers] = [
        SeveralBuffers(pixelFormat: FourCC("N", "M", "1", "2"), whole: .nv12, count: 2),
        SeveralBuffers(pixelFormat: FourCC("N", "M", "2", "1"), whole: .nv21, count: 2),
        SeveralBuffers(pixelFormat: FourCC("N", "M", "1", "6"), whole: .nv16, count: 2),
        SeveralBuffers(pixelFormat: FourCC("N", "M", "6", "1"), whole: .nv61, count: 2),
        SeveralBuffers(pixelFormat: FourCC("Y", "M", "1", "2"), whole: .yu12, count: 3),
        SeveralBuffers(pixelFormat: FourCC("Y", "M", "2", "1"), whole: .yv12, count: 3),
        SeveralBuffers(pixelFormat: FourCC("Y", "M", "1", "6"), whole: .yuv422p, count: 3),
    ]
}

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

    package static let sbggr8 = FourCC("B", "A", "8", "1")  // Bayer, 8 bits, B G over G R (SBGGR8)
    package static let sgbrg8 = FourCC("G", "B", "R", "G")  // Bayer, 8 bits, G B over R G (SGBRG8)
    package static let sgrbg8 = FourCC("G", "R", "B", "G")  // Bayer, 8 bits, G R over B G (SGRBG8)
    package static let srggb8 = FourCC("R", "G", "G", "B")  // Bayer, 8 bits, R G over G B (SRGGB8)
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
    package static let y16 = FourCC("Y", "1", "6", " ")  // Luma only, 16 bits, little-endian (Y16)
    package static let y16be = FourCC(rawValue: y16.rawValue | 0x8000_0000)  // Luma only, 16 bits, big-endian (Y16_BE)
    package static let y10bpack = FourCC("Y", "1", "0", "B")  // Luma only, 10 bits, packed (Y10BPACK)
    package static let rgb565 = FourCC("R", "G", "B", "P")  // R G B, 5, 6 and 5 bits (RGB565)
    package static let m420 = FourCC("M", "4", "2", "0")  // 4:2:0, two rows of luma, one of chroma
}
