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

    /// 4:2:2, packed as Y U Y V (`V4L2_PIX_FMT_YUYV`).
    package static let yuyv = FourCC("Y", "U", "Y", "V")
    /// 4:2:2, packed as U Y V Y (`V4L2_PIX_FMT_UYVY`).
    package static let uyvy = FourCC("U", "Y", "V", "Y")
    /// 4:2:2, packed as Y V Y U (`V4L2_PIX_FMT_YVYU`).
    package static let yvyu = FourCC("Y", "V", "Y", "U")
    /// 4:2:2, packed as V Y U Y (`V4L2_PIX_FMT_VYUY`).
    package static let vyuy = FourCC("V", "Y", "U", "Y")
    /// 4:2:2, a luma plane and a plane of U V pairs (`V4L2_PIX_FMT_NV16`).
    package static let nv16 = FourCC("N", "V", "1", "6")
    /// 4:2:2, a luma plane and a plane of V U pairs (`V4L2_PIX_FMT_NV61`).
    package static let nv61 = FourCC("N", "V", "6", "1")
    /// 4:2:0, a luma plane and a plane of U V pairs (`V4L2_PIX_FMT_NV12`).
    package static let nv12 = FourCC("N", "V", "1", "2")
    /// 4:2:0, a luma plane and a plane of V U pairs (`V4L2_PIX_FMT_NV21`).
    package static let nv21 = FourCC("N", "V", "2", "1")
    /// 4:2:0 in three planes, Y U V (`V4L2_PIX_FMT_YUV420`).
    package static let yu12 = FourCC("Y", "U", "1", "2")
    /// 4:2:0 in three planes, Y V U (`V4L2_PIX_FMT_YVU420`).
    package static let yv12 = FourCC("Y", "V", "1", "2")
    /// 4:2:2 in three planes, Y U V (`V4L2_PIX_FMT_YUV422P`).
    package static let yuv422p = FourCC("4", "2", "2", "P")
    /// Luma only, 8 bits (`V4L2_PIX_FMT_GREY`).
    package static let grey = FourCC("G", "R", "E", "Y")
    /// Luma only, 10 bits in 16, little-endian (`V4L2_PIX_FMT_Y10`).
    package static let y10 = FourCC("Y", "1", "0", " ")
    /// Luma only, 12 bits in 16, little-endian (`V4L2_PIX_FMT_Y12`).
    package static let y12 = FourCC("Y", "1", "2", " ")
    /// R G B, 8 bits each (`V4L2_PIX_FMT_RGB24`).
    package static let rgb24 = FourCC("R", "G", "B", "3")
    /// B G R, 8 bits each (`V4L2_PIX_FMT_BGR24`).
    package static let bgr24 = FourCC("B", "G", "R", "3")
    /// X R G B, 8 bits each, X first in memory (`V4L2_PIX_FMT_XRGB32`).
    package static let xrgb32 = FourCC("B", "X", "2", "4")
    /// B G R X, 8 bits each, X last in memory (`V4L2_PIX_FMT_XBGR32`).
    package static let xbgr32 = FourCC("X", "R", "2", "4")
    /// R G B X, 8 bits each, R first in memory (`V4L2_PIX_FMT_RGBX32`).
    package static let rgbx32 = FourCC("X", "B", "2", "4")
    /// X B G R, 8 bits each, X first in memory (`V4L2_PIX_FMT_BGRX32`).
    package static let bgrx32 = FourCC("R", "X", "2", "4")
    /// Older code of ``xrgb32``; the first byte may be alpha (`V4L2_PIX_FMT_RGB32`).
    package static let rgb32 = FourCC("R", "G", "B", "4")
    /// Older code of ``xbgr32``; the last byte may be alpha (`V4L2_PIX_FMT_BGR32`).
    package static let bgr32 = FourCC("B", "G", "R", "4")
    /// Motion JPEG, one picture per buffer (`V4L2_PIX_FMT_MJPEG`).
    package static let mjpeg = FourCC("M", "J", "P", "G")
    /// JFIF JPEG, one picture per buffer; treated as ``mjpeg`` (`V4L2_PIX_FMT_JPEG`).
    package static let jpeg = FourCC("J", "P", "E", "G")

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
