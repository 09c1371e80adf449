// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
internal import TintypeModel

enum PixelArrangement {
    /// 4:2:2 with interleaved luma and chroma.
    case packed(lumaFirst: Bool, crFirst: Bool)
    /// Luma and interleaved chroma planes; `lumaRows` is the number of luma rows per chroma row.
    case semiPlanar(lumaRows: Int, crFirst: Bool)
    case planar(lumaRows: Int, crFirst: Bool)
    /// Luma only; with more than 8 significant bits, in little-endian 16-bit words.
    case grey(bits: Int)
    /// Packed R, G, B in a byte order of libturbojpeg (`TJPF`).
    case rgb(TJPF)

    /// Nil for JPEG and for formats that cannot be encoded.
    init?(_ format: FourCC) {
        switch format {
        case .yuyv: self = .packed(lumaFirst: true, crFirst: false)
        case .yvyu: self = .packed(lumaFirst: true, crFirst: true)
        case .uyvy: self = .packed(lumaFirst: false, crFirst: false)
        case .vyuy: self = .packed(lumaFirst: false, crFirst: true)
        case .nv12: self = .semiPlanar(lumaRows: 2, crFirst: false)
        case .nv21: self = .semiPlanar(lumaRows: 2, crFirst: true)
        case .nv16: self = .semiPlanar(lumaRows: 1, crFirst: false)
        case .nv61: self = .semiPlanar(lumaRows: 1, crFirst: true)
        case .yu12: self = .planar(lumaRows: 2, crFirst: false)
        case .yv12: self = .planar(lumaRows: 2, crFirst: true)
        case .yuv422p: self = .planar(lumaRows: 1, crFirst: false)
        case .grey: self = .grey(bits: 8)
        case .y10: self = .grey(bits: 10)
        case .y12: self = .grey(bits: 12)
        case .rgb24: self = .rgb(TJPF_RGB)
        case .bgr24: self = .rgb(TJPF_BGR)
        case .xrgb32, .rgb32: self = .rgb(TJPF_XRGB)
        case .xbgr32, .bgr32: self = .rgb(TJPF_BGRX)
        case .rgbx32: self = .rgb(TJPF_RGBX)
        case .bgrx32: self = .rgb(TJPF_XBGR)
        default: return nil
        }
    }
}
