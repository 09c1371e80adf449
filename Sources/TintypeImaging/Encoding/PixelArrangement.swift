// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
internal import TintypeModel

/// How the samples of a pixel format lie in its buffer, as far as the encoder has to tell formats apart.
enum PixelArrangement {
    /// 4:2:2, luma and chroma in one row.
    case packed(RowKernels.PackedOrder, crFirst: Bool)
    /// A plane of luma and one of chroma pairs; luma rows for each chroma row.
    case semiPlanar(lumaRows: Int, crFirst: Bool)
    /// Three planes; luma rows for each chroma row.
    case planar(lumaRows: Int, crFirst: Bool)
    /// Luma only.
    case grey
    /// Luma only, so many bits in two bytes, the low one first.
    case deepGrey(bits: Int)
    /// R, G and B in an order that libturbojpeg knows (`TJPF`).
    case rgb(TJPF)

    /// The arrangement of a format; nil if it is JPEG or none that a still can be made from.
    init?(_ format: FourCC) {
        switch format {
        case .yuyv: self = .packed(.init(lumaShift: 0), crFirst: false)
        case .yvyu: self = .packed(.init(lumaShift: 0), crFirst: true)
        case .uyvy: self = .packed(.init(lumaShift: 8), crFirst: false)
        case .vyuy: self = .packed(.init(lumaShift: 8), crFirst: true)
        case .nv12: self = .semiPlanar(lumaRows: 2, crFirst: false)
        case .nv21: self = .semiPlanar(lumaRows: 2, crFirst: true)
        case .nv16: self = .semiPlanar(lumaRows: 1, crFirst: false)
        case .nv61: self = .semiPlanar(lumaRows: 1, crFirst: true)
        case .yu12: self = .planar(lumaRows: 2, crFirst: false)
        case .yv12: self = .planar(lumaRows: 2, crFirst: true)
        case .yuv422p: self = .planar(lumaRows: 1, crFirst: false)
        case .grey: self = .grey
        case .y10: self = .deepGrey(bits: 10)
        case .y12: self = .deepGrey(bits: 12)
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
