// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

/// Makes the planes that libturbojpeg compresses out of a camera's buffer, in one pass that also corrects the colours.
///
/// A plane that needs neither is used where it lies: all of a planar picture, the luma of a semi-planar one. Others go
/// to scratch memory, a row of chroma with its rows of luma at a time, so that a correction works on rows that are
/// still in the first-level cache.
///
/// libturbojpeg reads planes whose sides are padded to whole chroma samples; so a picture with an odd side is copied,
/// its last column and row repeated, and nothing outside the camera's buffer is ever read.
@safe struct PlaneSplitter {
    let width: Int
    let height: Int
    let stride: Int
    let source: UnsafeRawPointer
    let correction: ColorCorrection?
    let isLimited: Bool

    /// A splitter of a buffer that holds at least ``PictureLayout/byteCount`` bytes.
    init(_ layout: PictureLayout, at source: UnsafeRawPointer) {
        width = layout.size.width
        height = layout.size.height
        stride = layout.bytesPerRow
        unsafe self.source = unsafe source
        correction = ColorCorrection(from: layout.color)
        isLimited = layout.color.range == .limited
    }

    /// Chroma samples a row.
    var pairs: Int { (width + 1) / 2 }

    private var lumaStride: Int { (width + 63) / 64 * 64 }
    private var chromaStride: Int { (pairs + 63) / 64 * 64 }
    private var isEven: Bool { width % 2 == 0 && height % 2 == 0 }

    /// The planes of a picture whose samples lie so; R, G and B have none.
    func planes(_ arrangement: PixelArrangement, _ scratch: inout ScratchBuffer) -> PicturePlanes {
        switch arrangement {
        case .packed(let order, let crFirst): unsafe packed(order, crFirst: crFirst, &scratch)
        case .semiPlanar(let crFirst): unsafe semiPlanar(crFirst: crFirst, &scratch)
        case .planar(let rows, let crFirst): unsafe planar(lumaRows: rows, crFirst: crFirst, &scratch)
        case .grey, .rgb: unsafe grey(&scratch)
        }
    }

    /// Luma only: without chroma a matrix has nothing to say.
    func grey(_ scratch: inout ScratchBuffer) -> PicturePlanes {
        guard isLimited else { return unsafe grey(at: source, stride: stride) }
        let luma = unsafe scratch.reserve(lumaStride * height)
        for row in 0..<height {
            let target = unsafe luma + row * lumaStride
            unsafe memcpy(target, source + row * stride, width)
            unsafe RowKernels.stretch(target, by: .luma, count: width)
        }
        return unsafe grey(at: UnsafeRawPointer(luma), stride: lumaStride)
    }

    private func grey(at luma: UnsafeRawPointer, stride: Int) -> PicturePlanes {
        let samples = unsafe luma.assumingMemoryBound(to: UInt8.self)
        return unsafe PicturePlanes(
            luma: samples,
            lumaStride: stride,
            cb: samples,
            cr: samples,
            chromaStride: 0,
            sampling: .grey
        )
    }

    /// 4:2:2 in packed rows, to 4:2:0: each two rows of chroma are averaged.
    func packed(_ order: RowKernels.PackedOrder, crFirst: Bool, _ scratch: inout ScratchBuffer) -> PicturePlanes {
        let target = unsafe rows(lumaRows: 2, withLuma: true, &scratch)
        for index in 0..<(height + 1) / 2 {
            let upper = unsafe source + 2 * index * stride
            let lower = unsafe source + min(2 * index + 1, height - 1) * stride
            let cb = unsafe target.cb + index * chromaStride
            let cr = unsafe target.cr + index * chromaStride
            let (first, second) = unsafe crFirst ? (cr, cb) : (cb, cr)
            let luma = unsafe target.luma + 2 * index * lumaStride
            unsafe RowKernels.takeLuma(from: upper, order: order, into: luma, count: width)
            unsafe RowKernels.takeLuma(from: lower, order: order, into: luma + lumaStride, count: width)
            if case .matrix = correction {
                // Each luma row needs the chroma that it was captured with, before the average.
                let spare = unsafe crFirst ? (target.spareCr, target.spareCb) : (target.spareCb, target.spareCr)
                unsafe RowKernels.takeChroma(from: upper, order: order, into: first, and: second, count: pairs)
                unsafe finishLuma(luma, cb, cr, target.sums)
                unsafe RowKernels.takeChroma(from: lower, order: order, into: spare.0, and: spare.1, count: pairs)
                unsafe finishLuma(luma + lumaStride, target.spareCb, target.spareCr, target.sums)
                unsafe RowKernels.average(cb, with: target.spareCb, count: pairs)
                unsafe RowKernels.average(cr, with: target.spareCr, count: pairs)
            } else {
                unsafe RowKernels.takeMeanChroma(
                    from: upper,
                    and: lower,
                    order: order,
                    into: first,
                    and: second,
                    count: pairs
                )
                unsafe finishLuma(luma, cb, cr, target.sums)
                unsafe finishLuma(luma + lumaStride, cb, cr, target.sums)
            }
            unsafe finishChroma(cb, cr)
        }
        return unsafe target.planes(lumaStride: lumaStride, chromaStride: chromaStride, sampling: .quarter)
    }

    /// 4:2:0 with a plane of chroma pairs.
    func semiPlanar(crFirst: Bool, _ scratch: inout ScratchBuffer) -> PicturePlanes {
        let isLumaInPlace = correction == nil && isEven
        let target = unsafe rows(lumaRows: 2, withLuma: !isLumaInPlace, &scratch)
        let chroma = unsafe source + height * stride
        for index in 0..<(height + 1) / 2 {
            let cb = unsafe target.cb + index * chromaStride
            let cr = unsafe target.cr + index * chromaStride
            let (first, second) = unsafe crFirst ? (cr, cb) : (cb, cr)
            unsafe RowKernels.takePairs(from: chroma + index * stride, into: first, and: second, count: pairs)
            if !isLumaInPlace { unsafe copyLuma(of: index, lumaRows: 2, cb, cr, target) }
            unsafe finishChroma(cb, cr)
        }
        let planes = unsafe target.planes(lumaStride: lumaStride, chromaStride: chromaStride, sampling: .quarter)
        guard isLumaInPlace else { return unsafe planes }
        return unsafe PicturePlanes(
            luma: source.assumingMemoryBound(to: UInt8.self),
            lumaStride: stride,
            cb: planes.cb,
            cr: planes.cr,
            chromaStride: chromaStride,
            sampling: .quarter
        )
    }

    /// Three planes, in place where they need no correction.
    func planar(lumaRows: Int, crFirst: Bool, _ scratch: inout ScratchBuffer) -> PicturePlanes {
        let sampling: ChromaSampling = lumaRows == 2 ? .quarter : .half
        let chromaRows = (height + lumaRows - 1) / lumaRows
        let sourceStride = (stride + 1) / 2
        let first = unsafe source + height * stride
        let second = unsafe first + chromaRows * sourceStride
        let (sourceCb, sourceCr) = unsafe crFirst ? (second, first) : (first, second)
        if correction == nil, width % 2 == 0, height % lumaRows == 0 {
            return unsafe PicturePlanes(
                luma: source.assumingMemoryBound(to: UInt8.self),
                lumaStride: stride,
                cb: sourceCb.assumingMemoryBound(to: UInt8.self),
                cr: sourceCr.assumingMemoryBound(to: UInt8.self),
                chromaStride: sourceStride,
                sampling: sampling
            )
        }
        let target = unsafe rows(lumaRows: lumaRows, withLuma: true, &scratch)
        for index in 0..<chromaRows {
            let cb = unsafe target.cb + index * chromaStride
            let cr = unsafe target.cr + index * chromaStride
            unsafe memcpy(cb, sourceCb + index * sourceStride, pairs)
            unsafe memcpy(cr, sourceCr + index * sourceStride, pairs)
            unsafe copyLuma(of: index, lumaRows: lumaRows, cb, cr, target)
            unsafe finishChroma(cb, cr)
        }
        return unsafe target.planes(lumaStride: lumaStride, chromaStride: chromaStride, sampling: sampling)
    }
}

extension PlaneSplitter {
    /// The target rows in scratch memory.
    private func rows(lumaRows: Int, withLuma: Bool, _ scratch: inout ScratchBuffer) -> SplitRows {
        let chromaRows = (height + lumaRows - 1) / lumaRows
        let lumaCount = withLuma ? chromaRows * lumaRows * lumaStride : 0
        let chromaCount = chromaRows * chromaStride
        let sumsCount = chromaStride * MemoryLayout<Int32>.stride
        let start = unsafe scratch.reserve(lumaCount + 2 * chromaCount + 2 * chromaStride + sumsCount)
        let sums = unsafe UnsafeMutableRawPointer(start).bindMemory(to: Int32.self, capacity: chromaStride)
        let spare = unsafe start + sumsCount
        let luma = unsafe spare + 2 * chromaStride
        let cb = unsafe luma + lumaCount
        return unsafe SplitRows(
            luma: luma,
            cb: cb,
            cr: cb + chromaCount,
            spareCb: spare,
            spareCr: spare + chromaStride,
            sums: sums
        )
    }

    /// Copies the luma rows that belong to one row of chroma, and finishes them.
    private func copyLuma(
        of chromaRow: Int,
        lumaRows: Int,
        _ cb: UnsafePointer<UInt8>,
        _ cr: UnsafePointer<UInt8>,
        _ target: SplitRows
    ) {
        for row in chromaRow * lumaRows..<(chromaRow + 1) * lumaRows {
            let luma = unsafe target.luma + row * lumaStride
            unsafe memcpy(luma, source + min(row, height - 1) * stride, width)
            unsafe finishLuma(luma, cb, cr, target.sums)
        }
    }

    /// Repeats the last sample of an odd width and corrects the row.
    private func finishLuma(
        _ luma: UnsafeMutablePointer<UInt8>,
        _ cb: UnsafePointer<UInt8>,
        _ cr: UnsafePointer<UInt8>,
        _ sums: UnsafeMutablePointer<Int32>
    ) {
        if width % 2 == 1 { unsafe luma[width] = unsafe luma[width - 1] }
        switch correction {
        case .matrix(let matrix):
            unsafe RowKernels.sumChroma(cb, cr, by: matrix, into: sums, count: pairs)
            unsafe RowKernels.correctLuma(luma, adding: sums, by: matrix, pairs: pairs)
        case .range: unsafe RowKernels.stretch(luma, by: .luma, count: 2 * pairs)
        case nil: break
        }
    }

    private func finishChroma(_ cb: UnsafeMutablePointer<UInt8>, _ cr: UnsafeMutablePointer<UInt8>) {
        switch correction {
        case .matrix(let matrix): unsafe RowKernels.correctChroma(cb, cr, by: matrix, count: pairs)
        case .range:
            unsafe RowKernels.stretch(cb, by: .chroma, count: pairs)
            unsafe RowKernels.stretch(cr, by: .chroma, count: pairs)
        case nil: break
        }
    }
}
