// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Pixels of a picture in YUYV, NV12, GREY, Y16 or 8-bit Bayer; valid while `bytes` are.
@safe struct PatternCanvas {
    private enum Samples {
        case yuyv, nv12, grey, y16
        case mosaic(BayerMosaic)
    }

    let layout: PictureLayout
    private let bytes: UnsafeMutableRawBufferPointer
    private let samples: Samples
    private let isLimited: Bool

    init(_ layout: PictureLayout, _ bytes: UnsafeMutableRawBufferPointer) {
        self.layout = layout
        unsafe self.bytes = unsafe bytes
        let mosaic = BayerMosaic(layout.pixelFormat)
        // Bayer samples are R, G or B, which have no limited range.
        isLimited = layout.color.range != .full && mosaic == nil
        samples =
            switch layout.pixelFormat {
            case .yuyv: .yuyv
            case .nv12: .nv12
            case .y16: .y16
            default: mosaic.map { .mosaic($0) } ?? .grey
            }
    }

    /// Clipped to the picture; chroma is filled in whole 2x2 or 2x1 blocks.
    func fill(_ columns: Range<Int>, _ rows: Range<Int>, _ ink: PatternPainter.Ink) {
        let columns = columns.clamped(to: 0..<layout.size.width)
        let rows = rows.clamped(to: 0..<layout.size.height)
        guard !columns.isEmpty, !rows.isEmpty else { return }
        let ink = isLimited ? ink.limited : ink
        let stride = layout.bytesPerRow
        for row in rows {
            let start = row * stride
            switch samples {
            case .yuyv:
                for column in columns {
                    unsafe bytes[start + column * 2] = ink.y
                    unsafe bytes[start + column * 2 + 1] = column % 2 == 0 ? ink.u : ink.v
                }
                // V of the last pixel of an odd-width row.
                if columns.upperBound % 2 == 1 { unsafe bytes[start + columns.upperBound * 2 + 1] = ink.v }
            case .mosaic(let mosaic):
                for column in columns { unsafe bytes[start + column] = mosaic.value(of: ink, column, row) }
            case .y16:
                // The low byte stays 0, so that reading the wrong byte gives black.
                for column in columns { unsafe bytes[start + column * 2 + 1] = ink.y }
            case .grey, .nv12:
                for column in columns { unsafe bytes[start + column] = ink.y }
                guard case .nv12 = samples, row % 2 == 0 else { continue }
                let chroma = stride * layout.size.height + row / 2 * stride
                for pair in columns.lowerBound / 2..<(columns.upperBound + 1) / 2 where pair * 2 + 1 < stride {
                    unsafe bytes[chroma + pair * 2] = ink.u
                    unsafe bytes[chroma + pair * 2 + 1] = ink.v
                }
            }
        }
    }

    /// Fills a polygon, in pixels, with smooth edges; `opacity` is up to 1.
    func fill(_ outline: [SIMD2<Float>], _ ink: PatternPainter.Ink, opacity: Float) {
        let size = layout.size
        let heights = outline.map { min(max(0, $0.y), Float(size.height)) }
        guard let top = heights.min(), let bottom = heights.max(), top < bottom else { return }
        // Four samples a row; changes of their coverage from one pixel to the next.
        var steps = [Float](repeating: 0, count: size.width + 2)
        var crossings: [Float] = []
        for row in Int(top)..<Int(bottom.rounded(.up)) {
            var (first, last) = (size.width, 0)
            for sample in 0..<4 {
                let y = Float(row) + (Float(sample) + 0.5) / 4
                crossings.removeAll(keepingCapacity: true)
                var from = outline[outline.count - 1]
                for to in outline {
                    if (from.y <= y) != (to.y <= y) {
                        crossings.append(from.x + (y - from.y) / (to.y - from.y) * (to.x - from.x))
                    }
                    from = to
                }
                crossings.sort()
                for (index, crossing) in crossings.enumerated() {
                    let x = min(max(0, crossing), Float(size.width))
                    let (column, sign) = (Int(x), Float(index % 2 == 0 ? 1 : -1))
                    steps[column] += sign * (Float(column + 1) - x)
                    steps[column + 1] += sign * (x - Float(column))
                    (first, last) = (min(first, column), max(last, column))
                }
            }
            guard first <= last else { continue }
            mix(row, first..<min(last + 1, size.width), ink, opacity * 64, steps)
            for column in first...last + 1 { steps[column] = 0 }
        }
    }

    /// Mixes pixels with `ink` by the running sum of `steps`, of which `unit` is that of 256.
    private func mix(_ row: Int, _ columns: Range<Int>, _ ink: PatternPainter.Ink, _ unit: Float, _ steps: [Float]) {
        let code = isLimited ? ink.limited : ink
        var coverage: Float = 0
        var solid = columns.lowerBound
        for column in columns {
            coverage += steps[column]
            let weight = Int(coverage * unit + 0.5)
            guard weight < 256 else { continue }
            fill(solid..<column, row..<row + 1, ink)
            solid = column + 1
            if weight > 0 { mix(column, row, code, weight) }
        }
        fill(solid..<columns.upperBound, row..<row + 1, ink)
    }

    /// Each pixel changes the half of the chroma that is its own.
    private func mix(_ column: Int, _ row: Int, _ ink: PatternPainter.Ink, _ weight: Int) {
        let (start, chroma) = (row * layout.bytesPerRow, column % 2 == 0 ? ink.u : ink.v)
        switch samples {
        case .yuyv:
            mix(start + column * 2, ink.y, weight)
            mix(start + column * 2 + 1, chroma, weight)
        case .mosaic(let mosaic): mix(start + column, mosaic.value(of: ink, column, row), weight)
        case .y16: mix(start + column * 2 + 1, ink.y, weight)
        case .grey, .nv12:
            mix(start + column, ink.y, weight)
            guard case .nv12 = samples, row % 2 == 0 else { return }
            mix((layout.size.height + row / 2) * layout.bytesPerRow + column, chroma, weight)
        }
    }

    private func mix(_ offset: Int, _ value: UInt8, _ weight: Int) {
        unsafe bytes[offset] = UInt8((Int(bytes[offset]) * (256 - weight) + Int(value) * weight + 128) >> 8)
    }
}
