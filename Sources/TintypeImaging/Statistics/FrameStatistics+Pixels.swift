// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
package import TintypeModel

extension FrameStatistics {
    /// Samples pixels without conversion or copy.
    ///
    /// Throws ``ImagingError/unsupported(_:)`` for a format that ``JPEGEncoder`` does not accept, and
    /// ``ImagingError/short(have:need:)``.
    package init(_ bytes: RawSpan, layout: PictureLayout) throws(ImagingError) {
        guard let arrangement = PixelArrangement(layout.pixelFormat), let need = layout.byteCount else {
            throw .unsupported(layout.pixelFormat)
        }
        guard bytes.byteCount >= need, layout.planes.allSatisfy({ $0.used <= $0.stride }) else {
            throw .short(have: bytes.byteCount, need: need)
        }
        self = unsafe bytes.withUnsafeBytes { bytes in unsafe arrangement.statistics(of: bytes, layout) }
    }
}

extension PixelArrangement {
    private static let samplesPerRow = 160

    fileprivate func statistics(of bytes: UnsafeRawBufferPointer, _ layout: PictureLayout) -> FrameStatistics {
        let (planes, width, height) = (layout.planes, layout.size.width, layout.size.height)
        let isLimited = layout.color.range == .limited
        func full(_ value: UInt8, _ stretch: RangeStretch) -> UInt8 {
            isLimited ? RowKernels.stretched(value, by: stretch) : value
        }
        // Even, so that each sample has its own chroma.
        let step = max(2, (width / Self.samplesPerRow + 1) & ~1)
        var sampler = FrameSampler(width: (width + step - 1) / step, height: (height + step - 1) / step)
        for (row, y) in stride(from: 0, to: height, by: step).enumerated() {
            for (column, x) in stride(from: 0, to: width, by: step).enumerated() {
                if case .rgb(let order) = self {
                    let (red, green, blue) = unsafe Self.color(bytes, y * layout.bytesPerRow, x, order)
                    sampler.add(column, row, red: full(red, .luma), green: full(green, .luma), blue: full(blue, .luma))
                } else {
                    let (luma, cb, cr) = unsafe sample(bytes, planes, x, y)
                    sampler.add(column, row, luma: full(luma, .luma), cb: full(cb, .chroma), cr: full(cr, .chroma))
                }
            }
        }
        return FrameStatistics(sampler)
    }

    /// Column `x` must be even.
    private func sample(
        _ bytes: UnsafeRawBufferPointer,
        _ planes: [PictureLayout.Plane],
        _ x: Int,
        _ y: Int
    ) -> (luma: UInt8, cb: UInt8, cr: UInt8) {
        let line = y * planes[0].stride
        switch self {
        case .packed(let lumaFirst, let crFirst):
            let (lumaAt, chromaAt) = (line + 2 * x + (lumaFirst ? 0 : 1), line + 2 * x + (lumaFirst ? 1 : 0))
            return unsafe (bytes[lumaAt], bytes[chromaAt + (crFirst ? 2 : 0)], bytes[chromaAt + (crFirst ? 0 : 2)])
        case .semiPlanar(let lumaRows, let crFirst):
            let chromaAt = planes[1].start + y / lumaRows * planes[1].stride + x
            return unsafe (bytes[line + x], bytes[chromaAt + (crFirst ? 1 : 0)], bytes[chromaAt + (crFirst ? 0 : 1)])
        case .planar(let lumaRows, let crFirst):
            let first = planes[1].start + y / lumaRows * planes[1].stride + x / 2
            let second = planes[2].start + y / lumaRows * planes[2].stride + x / 2
            return unsafe (bytes[line + x], bytes[crFirst ? second : first], bytes[crFirst ? first : second])
        case .grey(let bits) where bits > 8:
            let word = unsafe Int(bytes[line + 2 * x]) | Int(bytes[line + 2 * x + 1]) << 8
            return (UInt8(clamping: word >> (bits - 8)), 128, 128)
        case .grey, .rgb: return unsafe (bytes[line + x], 128, 128)
        }
    }

    private static func color(
        _ bytes: UnsafeRawBufferPointer,
        _ line: Int,
        _ x: Int,
        _ order: TJPF
    ) -> (red: UInt8, green: UInt8, blue: UInt8) {
        let (pixelBytes, red, blue) =
            switch order {
            case TJPF_RGB: (3, 0, 2)
            case TJPF_BGR: (3, 2, 0)
            case TJPF_RGBX: (4, 0, 2)
            case TJPF_XRGB: (4, 1, 3)
            case TJPF_XBGR: (4, 3, 1)
            // TJPF_BGRX, the only remaining order of ``PixelArrangement``.
            default: (4, 2, 0)
            }
        let pixel = line + pixelBytes * x
        // Green is between red and blue.
        return unsafe (bytes[pixel + red], bytes[pixel + (red + blue) / 2], bytes[pixel + blue])
    }
}
