// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import TintypeModel

@testable internal import TintypeImaging

/// Colour as R, G and B, each from 0 to 1.
struct SampleColor {
    var red: Double
    var green: Double
    var blue: Double

    static func grey(_ value: Double) -> SampleColor { SampleColor(red: value, green: value, blue: value) }

    /// Y', Pb and Pr by the definition of a matrix, independent of the encoder's arithmetic.
    func yuv(_ matrix: ColorEncoding.Matrix) -> (y: Double, pb: Double, pr: Double) {
        let (kr, kb) = Self.weights(matrix)
        let y = kr * red + (1 - kr - kb) * green + kb * blue
        return (y, (blue - y) / (2 - 2 * kb), (red - y) / (2 - 2 * kr))
    }

    /// Weights of R and B in luma (ITU-R BT.601-7, BT.709-6, BT.2020-2, SMPTE 240M).
    static func weights(_ matrix: ColorEncoding.Matrix) -> (red: Double, blue: Double) {
        switch matrix {
        case .bt601: (0.299, 0.114)
        case .bt709: (0.2126, 0.0722)
        case .smpte240m: (0.212, 0.087)
        case .bt2020: (0.2627, 0.0593)
        }
    }
}

/// Picture defined at every point, to render in any layout and compare with the result.
struct SamplePicture {
    let size: FrameSize
    /// Colour at a point, in pixel coordinates.
    let color: (Double, Double) -> SampleColor

    /// Smooth picture of all hues, with little loss by subsampling and JPEG.
    static func smooth(_ size: FrameSize) -> SamplePicture {
        SamplePicture(size: size) { x, y in
            SampleColor(
                red: 0.5 + 0.42 * sin(x / 23 + 0.4),
                green: 0.5 + 0.42 * sin(y / 19 + 1.9),
                blue: 0.5 + 0.42 * sin((x + y) / 31 + 3.1)
            )
        }
    }

    static func flat(_ size: FrameSize, _ color: SampleColor) -> SamplePicture {
        SamplePicture(size: size) { _, _ in color }
    }

    /// R, G and B of every pixel, 0 to 255; greyscale formats repeat the luma three times.
    func reference(isGrey: Bool) -> [Double] {
        var values: [Double] = []
        values.reserveCapacity(size.area * 3)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let here = color(Double(x), Double(y))
                let luma = here.yuv(.bt601).y
                values += (isGrey ? [luma, luma, luma] : [here.red, here.green, here.blue]).map { $0 * 255 }
            }
        }
        return values
    }

    /// Bytes of the picture in a layout; padding has a visible value.
    func render(_ layout: PictureLayout) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xEE, count: layout.byteCount ?? 0)
        let stride = layout.bytesPerRow
        let half = (stride + 1) / 2
        let height = size.height
        let pairs = (size.width + 1) / 2
        let chromaRows = (height + 1) / 2
        func each(_ width: Int, _ height: Int, _ body: (Int, Int) -> Void) {
            for y in 0..<height { for x in 0..<width { body(x, y) } }
        }
        func luma(_ x: Int, _ y: Int) -> UInt8 { sample(layout.color, Double(x), Double(y)).y }
        /// Chroma shared by `2 x rows` pixels, sampled at their centre.
        func chroma(_ x: Int, _ y: Int, rows: Int) -> (cb: UInt8, cr: UInt8) {
            let down = rows == 2 ? min(Double(2 * y) + 0.5, Double(height - 1)) : Double(y)
            let here = sample(layout.color, min(Double(2 * x) + 0.5, Double(size.width - 1)), down)
            return (here.cb, here.cr)
        }
        switch layout.pixelFormat {
        case .yuyv, .uyvy, .yvyu, .vyuy:
            let places = [FourCC.yuyv: (0, 1, 2, 3), .uyvy: (1, 0, 3, 2), .yvyu: (0, 3, 2, 1), .vyuy: (1, 2, 3, 0)]
            let place = places[layout.pixelFormat] ?? (0, 0, 0, 0)
            each(pairs, height) { x, y in
                let start = y * stride + 4 * x
                let (cb, cr) = chroma(x, y, rows: 1)
                bytes[start + place.0] = luma(2 * x, y)
                bytes[start + place.1] = cb
                // An odd width leaves junk in the second half of the last word, as drivers do.
                bytes[start + place.2] = 2 * x + 1 < size.width ? luma(2 * x + 1, y) : 0xEE
                bytes[start + place.3] = cr
            }
        case .nv12, .nv21, .nv16, .nv61:
            each(size.width, height) { x, y in bytes[y * stride + x] = luma(x, y) }
            let cbPlace = [.nv12, .nv16].contains(layout.pixelFormat) ? 0 : 1
            let rows = [.nv12, .nv21].contains(layout.pixelFormat) ? 2 : 1
            each(pairs, rows == 2 ? chromaRows : height) { x, y in
                let start = (height + y) * stride + 2 * x
                (bytes[start + cbPlace], bytes[start + 1 - cbPlace]) = chroma(x, y, rows: rows)
            }
        case .yu12, .yv12, .yuv422p:
            let rows = layout.pixelFormat == .yuv422p ? 1 : 2
            let count = rows == 1 ? height : chromaRows
            let first = height * stride
            let second = first + count * half
            let isCbFirst = layout.pixelFormat != .yv12
            each(size.width, height) { x, y in bytes[y * stride + x] = luma(x, y) }
            each(pairs, count) { x, y in
                let (cb, cr) = chroma(x, y, rows: rows)
                bytes[(isCbFirst ? first : second) + y * half + x] = cb
                bytes[(isCbFirst ? second : first) + y * half + x] = cr
            }
        case .grey: each(size.width, height) { x, y in bytes[y * stride + x] = greySample(layout.color, x, y) }
        case .y10, .y12:
            let scale = layout.pixelFormat == .y10 ? 4 : 16
            each(size.width, height) { x, y in
                // Noise in the low bits.
                let value = Int(greySample(layout.color, x, y)) * scale + (x + y) % scale
                bytes[y * stride + 2 * x] = UInt8(truncatingIfNeeded: value)
                bytes[y * stride + 2 * x + 1] = UInt8(value >> 8)
            }
        case .rgb24, .bgr24, .xrgb32, .xbgr32, .rgbx32, .bgrx32, .rgb32, .bgr32:
            let orders = [
                FourCC.rgb24: (0, 1, 2, 3), .bgr24: (2, 1, 0, 3), .xrgb32: (1, 2, 3, 4), .xbgr32: (2, 1, 0, 4),
                .rgbx32: (0, 1, 2, 4), .bgrx32: (3, 2, 1, 4), .rgb32: (1, 2, 3, 4), .bgr32: (2, 1, 0, 4),
            ]
            let order = orders[layout.pixelFormat] ?? (0, 0, 0, 0)
            each(size.width, height) { x, y in
                let here = color(Double(x), Double(y))
                let start = y * stride + order.3 * x
                bytes[start + order.0] = part(layout.color, here.red)
                bytes[start + order.1] = part(layout.color, here.green)
                bytes[start + order.2] = part(layout.color, here.blue)
            }
        default: break
        }
        return bytes
    }

    private func byte(_ value: Double) -> UInt8 { UInt8(max(0, min(255, value.rounded()))) }

    /// Red, green or blue.
    private func part(_ encoding: ColorEncoding, _ value: Double) -> UInt8 {
        encoding.range == .full ? byte(255 * value) : byte(16 + 219 * value)
    }

    private func sample(_ encoding: ColorEncoding, _ x: Double, _ y: Double) -> (y: UInt8, cb: UInt8, cr: UInt8) {
        let (luma, pb, pr) = color(x, y).yuv(encoding.matrix)
        return switch encoding.range {
        case .full: (byte(255 * luma), byte(128 + 255 * pb), byte(128 + 255 * pr))
        case .limited: (byte(16 + 219 * luma), byte(128 + 224 * pb), byte(128 + 224 * pr))
        }
    }

    /// Luma of a grey camera, which does not depend on the matrix.
    private func greySample(_ encoding: ColorEncoding, _ x: Int, _ y: Int) -> UInt8 {
        part(encoding, color(Double(x), Double(y)).yuv(.bt601).y)
    }
}

extension SamplePicture {
    /// Still that a plan makes of this picture, computed from the source point of each pixel.
    func rendered(_ plan: GeometryPlan, _ way: WayRound) -> SamplePicture {
        let (region, result, color) = (plan.region, plan.size, self.color)
        return SamplePicture(size: result) { x, y in
            // Starts at the centre of the pixel and reverts each step, the last one first.
            var turned = ((x + 0.5) / Double(result.width), (y + 0.5) / Double(result.height))
            // A quarter clockwise moved the point (u, v) to (1 - v, u).
            for _ in 0..<way.turn.rawValue / 90 { turned = (turned.1, 1 - turned.0) }
            if way.flip == .horizontal { turned.0 = 1 - turned.0 }
            if way.flip == .vertical { turned.1 = 1 - turned.1 }
            return color(
                Double(region.left) + turned.0 * Double(region.size.width) - 0.5,
                Double(region.top) + turned.1 * Double(region.size.height) - 0.5
            )
        }
    }
}
