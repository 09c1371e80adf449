// SPDX-License-Identifier: Apache-2.0
internal import CScanlineEncoder
internal import Foundation
internal import TintypeImaging
internal import TintypeModel

/// One comparison of our encoder with libjpeg fed by scanlines, on one picture in one encoding.
struct Comparison {
    /// Runs of each, one after the other in turn; DESIGN.md 9 asks for 41.
    static let runs = 41
    static let quality = 80

    let color: ColorEncoding
    let referenceMs: Double
    let oursMs: Double
    /// Share of libturbojpeg in ``oursMs``: the time of the same picture as planes that need no work (YU12).
    let planesMs: Double
    let referenceBytes: Int
    let oursBytes: Int
    /// Against the picture rendered in floating point with its range and matrix, in dB.
    let referencePSNR: Double
    let oursPSNR: Double

    var ratio: Double { referenceMs / oursMs }
    /// The ratio that would be reached if splitting and correcting took no time at all.
    var ceiling: Double { referenceMs / planesMs }
    /// Difference of our file's size from the reference, in percent.
    var sizeDifference: Double { (Double(oursBytes) / Double(referenceBytes) - 1) * 100 }

    init(_ picture: BenchmarkPicture, _ color: ColorEncoding) throws {
        let yuyv = picture.yuyv(color)
        let size = picture.size
        let layout = picture.layout(color)
        let planes = BenchmarkPicture.planes(of: yuyv, size, color)
        let planar = PictureLayout(pixelFormat: .yu12, size: size, bytesPerRow: size.width, color: .jfif)
        var encoder = JPEGEncoder()
        var target = [UInt8](repeating: 0, count: size.area * 3 + 4096)
        var count = 0
        var ours: [UInt8] = []
        var times: (reference: [Double], ours: [Double], planes: [Double]) = ([], [], [])
        // One round more than is counted: the first pays for memory and caches.
        for round in 0...Self.runs {
            let reference = ThreadClock.milliseconds {
                count = unsafe scanline_encode_yuyv(
                    yuyv,
                    Int32(size.width),
                    Int32(size.height),
                    layout.bytesPerRow,
                    Int32(Self.quality),
                    &target,
                    target.count
                )
            }
            let own = try ThreadClock.milliseconds {
                ours = try unsafe encoder.encode(yuyv.span.bytes, layout: layout, quality: Self.quality)
            }
            // Once without the clock: planes that were just split are in the cache too.
            _ = try unsafe encoder.encode(planes.span.bytes, layout: planar, quality: Self.quality)
            let alone = try ThreadClock.milliseconds {
                _ = try unsafe encoder.encode(planes.span.bytes, layout: planar, quality: Self.quality)
            }
            guard count > 0 else { throw ImagingError.encoder("libjpeg refused the reference picture") }
            guard round > 0 else { continue }
            times.reference.append(reference)
            times.ours.append(own)
            times.planes.append(alone)
        }
        let rendered = BenchmarkPicture.render(yuyv, color)
        self.color = color
        referenceMs = Self.median(times.reference)
        oursMs = Self.median(times.ours)
        planesMs = Self.median(times.planes)
        referenceBytes = count
        oursBytes = ours.count
        referencePSNR = try Self.psnr(Array(target.prefix(count)), rendered)
        oursPSNR = try Self.psnr(ours, rendered)
    }

    static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private static func psnr(_ jpeg: [UInt8], _ reference: [Double]) throws -> Double {
        var decoder = JPEGDecoder()
        let pixels = try unsafe decoder.decodeRGB(jpeg.span.bytes).rgb
        let sum = zip(pixels, reference).reduce(0.0) { $0 + pow(Double($1.0) - $1.1, 2) }
        return 10 * log10(255 * 255 * Double(pixels.count) / max(sum, 1e-9))
    }
}
