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
        let picture = PixelSampler(arrangement, layout)
        self = unsafe bytes.withUnsafeBytes { bytes in unsafe picture.statistics(of: bytes) }
    }
}

private struct PixelSampler {
    private let arrangement: PixelArrangement
    private let layout: PictureLayout
    private let planes: [PictureLayout.Plane]
    private let width: Int
    private let height: Int
    /// Distance between samples in pixels; even, so that each has its own chroma.
    private let step: Int

    private static let samplesPerRow = 160

    init(_ arrangement: PixelArrangement, _ layout: PictureLayout) {
        self.arrangement = arrangement
        self.layout = layout
        planes = layout.planes
        width = layout.size.width
        height = layout.size.height
        step = max(2, (width / Self.samplesPerRow + 1) & ~1)
    }

    func statistics(of bytes: UnsafeRawBufferPointer) -> FrameStatistics {
        var sampler = FrameSampler(width: (width + step - 1) / step, height: (height + step - 1) / step)
        let isLimited = layout.color.range == .limited
        for (row, y) in stride(from: 0, to: height, by: step).enumerated() {
            for (column, x) in stride(from: 0, to: width, by: step).enumerated() {
                if case .rgb(let order) = arrangement {
                    let pixel = unsafe color(bytes, x, y, order)
                    func full(_ value: UInt8) -> UInt8 {
                        isLimited ? Self.widened(value, from: 16, span: 219, at: 0) : value
                    }
                    sampler.add(column, row, red: full(pixel.red), green: full(pixel.green), blue: full(pixel.blue))
                    continue
                }
                let pixel = unsafe sample(bytes, x, y)
                sampler.add(
                    column,
                    row,
                    luma: isLimited ? Self.widened(pixel.luma, from: 16, span: 219, at: 0) : pixel.luma,
                    cb: isLimited ? Self.widened(pixel.cb, from: 128, span: 224, at: 128) : pixel.cb,
                    cr: isLimited ? Self.widened(pixel.cr, from: 128, span: 224, at: 128) : pixel.cr
                )
            }
        }
        return FrameStatistics(sampler)
    }

    private static func widened(_ value: UInt8, from zero: Int, span: Int, at target: Int) -> UInt8 {
        UInt8(min(255, max(0, (Int(value) - zero) * 255 / span + target)))
    }

    /// Column `x` must be even.
    private func sample(_ bytes: UnsafeRawBufferPointer, _ x: Int, _ y: Int) -> (luma: UInt8, cb: UInt8, cr: UInt8) {
        let line = y * planes[0].stride
        switch arrangement {
        case .packed(let order, let crFirst):
            let lumaAt = line + 2 * x + (order.lumaShift == 0 ? 0 : 1)
            let chromaAt = line + 2 * x + (order.lumaShift == 0 ? 1 : 0)
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

    private func color(
        _ bytes: UnsafeRawBufferPointer,
        _ x: Int,
        _ y: Int,
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
        let pixel = y * layout.bytesPerRow + pixelBytes * x
        // Green is between red and blue.
        return unsafe (bytes[pixel + red], bytes[pixel + (red + blue) / 2], bytes[pixel + blue])
    }
}
