// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
internal import Glibc
internal import TintypeModel

/// Extracts the planes for libturbojpeg from a camera's buffer and corrects their colours, in one pass.
///
/// Planes that need neither are used in place. Others are copied one chroma row and its luma rows at a time, so that
/// the correction works on rows still in the L1 cache. A picture with an odd side is copied and its last column and row
/// repeated, as libturbojpeg reads whole chroma samples.
@safe struct PlaneSplitter {
    private let size: FrameSize
    private let sourcePlanes: [PictureLayout.Plane]
    private let stride: Int
    private let source: UnsafeRawPointer
    private let correction: ColorCorrection?
    private let isLimited: Bool

    private var width: Int { size.width }
    private var height: Int { size.height }
    /// Chroma samples per row.
    private var pairs: Int { (width + 1) / 2 }

    /// The buffer must hold at least ``PictureLayout/byteCount`` bytes in a format with planes.
    init(_ layout: PictureLayout, at source: UnsafeRawPointer) {
        size = layout.size
        sourcePlanes = layout.planes
        stride = sourcePlanes[0].stride
        unsafe self.source = unsafe source
        correction = ColorCorrection(from: layout.color)
        isLimited = layout.color.range == .limited
    }

    /// Not for `rgb`; planes that do not stay in the camera's buffer are written to `split`.
    func planes(_ arrangement: PixelArrangement, _ split: inout PlanarPicture) -> PicturePlanes {
        switch arrangement {
        case .packed(let lumaFirst, let crFirst):
            split.reset(to: size, .quarter)
            packed(lumaFirst: lumaFirst, crFirst: crFirst, into: split)
            return unsafe split.source
        case .semiPlanar(let lumaRows, let crFirst):
            split.reset(to: size, lumaRows == 2 ? .quarter : .half)
            return unsafe semiPlanar(lumaRows, crFirst: crFirst, split)
        case .planar(let lumaRows, let crFirst):
            return unsafe planar(lumaRows == 2 ? .quarter : .half, crFirst: crFirst, &split)
        case .grey(let bits): return unsafe grey(bits, &split)
        case .rgb: return unsafe grey(8, &split)
        }
    }

    /// Luma only, reduced to its upper 8 bits: the matrix is irrelevant without chroma.
    private func grey(_ bits: Int, _ split: inout PlanarPicture) -> PicturePlanes {
        guard isLimited || bits > 8 else {
            let luma = unsafe plane(0)
            return unsafe PicturePlanes(luma: luma, cb: luma, cr: luma, sampling: .grey)
        }
        split.reset(to: size, .grey)
        for row in 0..<height {
            let (from, target) = unsafe (source + row * stride, split.plane(0).row(row))
            if bits > 8 {
                unsafe RowKernels.readDeepLuma(from: from, bits: bits, into: target, count: width)
            } else {
                unsafe memcpy(target, from, width)
            }
            if isLimited { unsafe RowKernels.stretch(target, by: .luma, count: width) }
        }
        return unsafe split.source
    }

    /// 4:2:2 becomes 4:2:0 by averaging pairs of chroma rows.
    private func packed(lumaFirst: Bool, crFirst: Bool, into split: borrowing PlanarPicture) {
        // Of luma in a 16-bit word, and of the first chroma sample in a 32-bit word.
        let (lumaShift, shift): (UInt16, UInt32) = lumaFirst ? (0, 8) : (8, 0)
        let (lumaPlane, cbPlane, crPlane) = unsafe (split.plane(0), split.plane(1), split.plane(2))
        unsafe withSpareRows { spare in
            for index in unsafe 0..<cbPlane.height {
                let upper = unsafe source + 2 * index * stride
                let lower = unsafe source + min(2 * index + 1, height - 1) * stride
                let (cb, cr) = unsafe (cbPlane.row(index), crPlane.row(index))
                let pair = unsafe crFirst ? (cr, cb) : (cb, cr)
                let (upperLuma, lowerLuma) = unsafe (lumaPlane.row(2 * index), lumaPlane.row(2 * index + 1))
                unsafe RowKernels.readLuma(from: upper, shift: lumaShift, into: upperLuma, count: width)
                unsafe RowKernels.readLuma(from: lower, shift: lumaShift, into: lowerLuma, count: width)
                if case .matrix = correction {
                    // Correct each luma row with its own chroma, before averaging.
                    let below = unsafe crFirst ? (spare.cr, spare.cb) : (spare.cb, spare.cr)
                    unsafe RowKernels.readChroma(from: upper, shift: shift, into: pair, count: pairs)
                    unsafe finishLuma(upperLuma, cb, cr, spare.sums)
                    unsafe RowKernels.readChroma(from: lower, shift: shift, into: below, count: pairs)
                    unsafe finishLuma(lowerLuma, spare.cb, spare.cr, spare.sums)
                    unsafe RowKernels.average(cb, with: spare.cb, count: pairs)
                    unsafe RowKernels.average(cr, with: spare.cr, count: pairs)
                } else {
                    unsafe RowKernels.readMeanChroma(from: upper, and: lower, shift: shift, into: pair, count: pairs)
                    unsafe finishLuma(upperLuma, cb, cr, spare.sums)
                    unsafe finishLuma(lowerLuma, cb, cr, spare.sums)
                }
                unsafe finishChroma(cb, cr)
            }
        }
    }

    /// Keeps the luma in place if possible.
    private func semiPlanar(_ lumaRows: Int, crFirst: Bool, _ split: borrowing PlanarPicture) -> PicturePlanes {
        let isLumaInPlace = correction == nil && width % 2 == 0 && height % lumaRows == 0
        let (chroma, chromaStride) = unsafe (source + sourcePlanes[1].start, sourcePlanes[1].stride)
        let (cbPlane, crPlane) = unsafe (split.plane(1), split.plane(2))
        unsafe withSpareRows { spare in
            for index in unsafe 0..<cbPlane.height {
                let (cb, cr) = unsafe (cbPlane.row(index), crPlane.row(index))
                let pair = unsafe crFirst ? (cr, cb) : (cb, cr)
                unsafe RowKernels.readPairs(from: chroma + index * chromaStride, into: pair, count: pairs)
                if !isLumaInPlace { unsafe copyLuma(of: index, into: split, cb, cr, spare.sums) }
                unsafe finishChroma(cb, cr)
            }
        }
        var planes = unsafe split.source
        if isLumaInPlace { unsafe planes.luma = unsafe plane(0) }
        return unsafe planes
    }

    /// In place, or copied if they need correction or padding.
    private func planar(_ sampling: ChromaSampling, crFirst: Bool, _ split: inout PlanarPicture) -> PicturePlanes {
        let chromaRows = (height + sampling.rows - 1) / sampling.rows
        let (sourceCb, sourceCr) = unsafe (plane(crFirst ? 2 : 1), plane(crFirst ? 1 : 2))
        if correction == nil, width % 2 == 0, height % sampling.rows == 0 {
            return unsafe PicturePlanes(luma: plane(0), cb: sourceCb, cr: sourceCr, sampling: sampling)
        }
        split.reset(to: size, sampling)
        let (cbPlane, crPlane) = unsafe (split.plane(1), split.plane(2))
        unsafe withSpareRows { spare in
            for index in 0..<chromaRows {
                let (cb, cr) = unsafe (cbPlane.row(index), crPlane.row(index))
                unsafe memcpy(cb, sourceCb.row(index), pairs)
                unsafe memcpy(cr, sourceCr.row(index), pairs)
                unsafe copyLuma(of: index, into: split, cb, cr, spare.sums)
                unsafe finishChroma(cb, cr)
            }
        }
        return unsafe split.source
    }

    /// Plane in the camera's buffer: luma is 0.
    private func plane(_ number: Int) -> SourcePlane {
        let (plane, columns) = (sourcePlanes[number], number == 0 ? width : pairs)
        let samples = unsafe (source + plane.start).assumingMemoryBound(to: UInt8.self)
        return unsafe SourcePlane(start: samples, stride: plane.stride, width: columns, height: plane.rows)
    }

    /// A row of Cb, a row of Cr, and a row of chroma contributions to luma.
    @unsafe private struct SpareRows {
        let cb: SampleRow
        let cr: SampleRow
        let sums: RowKernels.Sums
    }

    private func withSpareRows(_ body: (SpareRows) -> Void) {
        unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: pairs) { sums in
            unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * pairs) { chroma in
                guard let sums = sums.baseAddress, let cb = chroma.baseAddress else { return }
                unsafe body(SpareRows(cb: cb, cr: cb + pairs, sums: sums))
            }
        }
    }

    private func copyLuma(
        of chromaRow: Int,
        into split: borrowing PlanarPicture,
        _ cb: SourceRow,
        _ cr: SourceRow,
        _ sums: RowKernels.Sums
    ) {
        let (target, rows) = unsafe (split.plane(0), split.sampling.rows)
        for row in chromaRow * rows..<(chromaRow + 1) * rows {
            let luma = unsafe target.row(row)
            unsafe memcpy(luma, source + min(row, height - 1) * stride, width)
            unsafe finishLuma(luma, cb, cr, sums)
        }
    }

    /// Pads an odd width with its last sample and corrects the row.
    private func finishLuma(_ luma: SampleRow, _ cb: SourceRow, _ cr: SourceRow, _ sums: RowKernels.Sums) {
        if width % 2 == 1 { unsafe luma[width] = unsafe luma[width - 1] }
        switch correction {
        case .matrix(let matrix):
            unsafe RowKernels.sumChroma(cb, cr, by: matrix, into: sums, count: pairs)
            unsafe RowKernels.correctLuma(luma, adding: sums, by: matrix, pairs: pairs)
        case .range: unsafe RowKernels.stretch(luma, by: .luma, count: 2 * pairs)
        case nil: break
        }
    }

    private func finishChroma(_ cb: SampleRow, _ cr: SampleRow) {
        switch correction {
        case .matrix(let matrix): unsafe RowKernels.correctChroma(cb, cr, by: matrix, count: pairs)
        case .range:
            unsafe RowKernels.stretch(cb, by: .chroma, count: pairs)
            unsafe RowKernels.stretch(cr, by: .chroma, count: pairs)
        case nil: break
        }
    }
}

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
