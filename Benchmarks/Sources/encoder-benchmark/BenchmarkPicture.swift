// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TintypeImaging
internal import TintypeModel

/// The picture that is encoded, as R, G and B from 0 to 1.
struct BenchmarkPicture {
    let size: FrameSize
    let rgb: [Double]

    /// The picture in a JPEG file; its right column and last row are left out where a side is odd.
    init(file: String) throws {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw ImagingError.notJPEG("\(file) cannot be read")
        }
        let bytes = [UInt8](data)
        var decoder = JPEGDecoder()
        let (found, pixels) = try unsafe decoder.decodeRGB(bytes.span.bytes)
        let (width, height) = (found.width / 2 * 2, found.height / 2 * 2)
        guard width > 0, height > 0 else { throw ImagingError.encoder("\(found) is too small to measure") }
        size = FrameSize(width: width, height: height)
        var values: [Double] = []
        values.reserveCapacity(size.area * 3)
        for y in 0..<height {
            let start = y * found.width * 3
            for sample in pixels[start..<start + width * 3] { values.append(Double(sample) / 255) }
        }
        rgb = values
    }

    /// A picture with what a photograph has: smooth shades, edges, texture at all scales and the noise of a sensor.
    ///
    /// The same on every machine and run.
    init(size: FrameSize) {
        self.size = size
        var noise = NoiseGenerator()
        let layers = [(160, 0.16), (48, 0.1), (16, 0.07), (6, 0.06)].map { cell, strength in
            (cell: cell, strength: strength, grid: noise.grid(size.width / cell + 2, size.height / cell + 2))
        }
        var values: [Double] = []
        values.reserveCapacity(size.area * 3)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let across = Double(x) / Double(size.width)
                let down = Double(y) / Double(size.height)
                var light = 0.3 + 0.3 * (1 - down)
                for layer in layers { light += layer.strength * layer.grid.value(x, y, cell: layer.cell) }
                // Two things with edges in front of the background: a disc and a fence.
                let isDisc = pow(across - 0.68, 2) + pow((down - 0.45) * 0.5625, 2) < 0.025
                let isFence = down > 0.72 && (x / 34) % 3 == 0
                let tint =
                    isDisc
                    ? (0.32, 0.05, -0.12) : isFence ? (-0.12, -0.16, -0.2) : (0.02, 0.05 * down, 0.18 - 0.2 * down)
                for part in [tint.0, tint.1, tint.2] {
                    values.append(min(max(light + part + 0.022 * noise.normal(), 0), 1))
                }
            }
        }
        rgb = values
    }

    /// Layout of its bytes in YUYV of an encoding.
    func layout(_ color: ColorEncoding) -> PictureLayout {
        PictureLayout(pixelFormat: .yuyv, size: size, bytesPerRow: size.width * 2, color: color)
    }

    /// The picture as a JPEG file.
    func jpeg(quality: Int) throws -> [UInt8] {
        var encoder = JPEGEncoder()
        let bytes = yuyv(.jfif)
        return try unsafe encoder.encode(bytes.span.bytes, layout: layout(.jfif), quality: quality)
    }

    /// The picture as YUYV of an encoding, rows without padding.
    func yuyv(_ color: ColorEncoding) -> [UInt8] {
        let weights = Weights(color.matrix)
        let isFull = color.range == .full
        let (lumaScale, lumaBase, chromaScale) = isFull ? (255.0, 0.0, 255.0) : (219.0, 16.0, 224.0)
        func byte(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
        var bytes = [UInt8](repeating: 0, count: size.area * 2)
        for pair in 0..<size.area / 2 {
            let left = weights.yuv(rgb[6 * pair], rgb[6 * pair + 1], rgb[6 * pair + 2])
            let right = weights.yuv(rgb[6 * pair + 3], rgb[6 * pair + 4], rgb[6 * pair + 5])
            bytes[4 * pair] = byte(lumaBase + lumaScale * left.y)
            bytes[4 * pair + 1] = byte(128 + chromaScale * (left.pb + right.pb) / 2)
            bytes[4 * pair + 2] = byte(lumaBase + lumaScale * right.y)
            bytes[4 * pair + 3] = byte(128 + chromaScale * (left.pr + right.pr) / 2)
        }
        return bytes
    }

    /// Colours of YUYV bytes, as R, G and B from 0 to 255, computed in floating point by an encoding.
    static func render(_ yuyv: [UInt8], _ color: ColorEncoding) -> [Double] {
        let weights = Weights(color.matrix)
        let isFull = color.range == .full
        return stride(from: 0, to: yuyv.count, by: 4).flatMap { start -> [Double] in
            let pb = (Double(yuyv[start + 1]) - 128) / (isFull ? 255 : 224)
            let pr = (Double(yuyv[start + 3]) - 128) / (isFull ? 255 : 224)
            return [yuyv[start], yuyv[start + 2]].flatMap { luma in
                let y = isFull ? Double(luma) / 255 : (Double(luma) - 16) / 219
                return weights.rgb(y, pb, pr).map { min(max($0, 0), 1) * 255 }
            }
        }
    }

    /// The planes (YU12, JFIF) that YUYV bytes of an encoding stand for, in floating point.
    static func planes(of yuyv: [UInt8], _ size: FrameSize, _ color: ColorEncoding) -> [UInt8] {
        let rgb = render(yuyv, color)
        let weights = Weights(.bt601)
        let chroma = (size.width / 2) * (size.height / 2)
        var bytes = [UInt8](repeating: 0, count: size.area + 2 * chroma)
        var sums = [Double](repeating: 0, count: 2 * chroma)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let start = 3 * (y * size.width + x)
                let here = weights.yuv(rgb[start] / 255, rgb[start + 1] / 255, rgb[start + 2] / 255)
                bytes[y * size.width + x] = UInt8(min(max((255 * here.y).rounded(), 0), 255))
                let place = y / 2 * (size.width / 2) + x / 2
                sums[place] += here.pb
                sums[chroma + place] += here.pr
            }
        }
        for place in 0..<2 * chroma {
            bytes[size.area + place] = UInt8(min(max((128 + 255 * sums[place] / 4).rounded(), 0), 255))
        }
        return bytes
    }
}
