// SPDX-License-Identifier: Apache-2.0
internal import Glibc
package import TintypeModel

package enum Deinterlacer {
    /// Deinterlaces by ``PictureLayout/deinterlaced`` into the layout ``PictureLayout/whole``; blocks, like a copy.
    ///
    /// Throws ``ImagingError/short(have:need:)``, and ``ImagingError/unsupported(_:)`` for a format without rows.
    package static func picture(_ bytes: RawSpan, layout: PictureLayout) throws(ImagingError) -> [UInt8] {
        let target = layout.whole
        guard layout.hasRows, let need = layout.byteCount, let count = target.byteCount else {
            throw .unsupported(layout.pixelFormat)
        }
        guard bytes.byteCount >= need else { throw .short(have: bytes.byteCount, need: need) }
        var picture = [UInt8](repeating: 0, count: count)
        unsafe picture.withUnsafeMutableBufferPointer { picture in
            unsafe bytes.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress, let to = picture.baseAddress else { return }
                let from = unsafe start.assumingMemoryBound(to: UInt8.self)
                for (source, made) in zip(layout.planes, target.planes) {
                    unsafe fill(to + made.start, made, of: from + source.start, source, layout)
                }
            }
        }
        return picture
    }

    private static func fill(
        _ target: SampleRow,
        _ made: PictureLayout.Plane,
        of start: SourceRow,
        _ source: PictureLayout.Plane,
        _ layout: PictureLayout
    ) {
        let count = min(made.stride, source.stride)
        for row in 0..<made.rows {
            let to = unsafe target + row * made.stride
            func from(_ row: Int) -> SourceRow { unsafe start + min(max(row, 0), source.rows - 1) * source.stride }
            switch layout.deinterlaced {
            case .blend:
                // A row by 1/2 and its neighbours by 1/4, so that both fields contribute equally.
                let (above, here, below) = unsafe (from(row - 1), from(row), from(row + 1))
                for index in 0..<count {
                    let sum = unsafe UInt16(above[index]) &+ UInt16(below[index]) &+ 2 &* UInt16(here[index]) &+ 2
                    unsafe to[index] = UInt8(truncatingIfNeeded: sum &>> 2)
                }
            case .double:
                let field = layout.fields == .alternating ? row / 2 : row & ~1
                unsafe memcpy(to, from(field), count)
            case .weave, nil: unsafe memcpy(to, from(row), count)
            }
        }
    }
}
