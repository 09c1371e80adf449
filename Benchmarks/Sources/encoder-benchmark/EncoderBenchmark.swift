// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import TintypeImaging
internal import TintypeModel

/// Measures the encoder against DESIGN.md 9 and fails where it is missed.
@main
struct EncoderBenchmark {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let files = arguments.filter { $0 != "--report-only" }
        guard files.count <= 1, !(files.first?.hasPrefix("-") ?? false) else {
            fail("usage: encoder-benchmark [--report-only] [PICTURE.jpg]", status: 64)
        }
        do {
            let picture =
                try files.first.map { try BenchmarkPicture(file: $0) }
                ?? BenchmarkPicture(size: FrameSize(width: 1280, height: 720))
            let missed = try run(picture)
            for sentence in missed { FileHandle.standardError.write(Data((sentence + "\n").utf8)) }
            if !missed.isEmpty, !arguments.contains("--report-only") { exit(1) }
        } catch {
            fail("The benchmark could not run: \(error)", status: 70)
        }
    }

    private static func fail(_ sentence: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data((sentence + "\n").utf8))
        exit(status)
    }

    /// Prints the figures; the sentences say what was missed.
    private static func run(_ picture: BenchmarkPicture) throws -> [String] {
        print("YUYV \(picture.size) to JPEG 4:2:0 quality \(Comparison.quality), median of \(Comparison.runs) runs")
        print(
            "encoding          libjpeg ms  tintype ms  (planes only)  ratio  (at most)  libjpeg B  tintype B  diff %"
                + "  PSNR libjpeg  tintype"
        )
        var missed: [String] = []
        for color in [ColorEncoding.jfif, .limited(.bt601), .limited(.bt709)] {
            let result = try Comparison(picture, color)
            print(line(result))
            // BT.709 has no target of its own: libjpeg does nothing of what the result must have there.
            guard color.matrix == .bt601 else { continue }
            let target = color.range == .full ? 1.7 : 1.3
            // On a processor where libturbojpeg alone is slower than the target, all but a tenth of what it gives.
            let enough = color.range == .full ? min(target, 0.9 * result.ceiling) : target
            if result.ratio < target {
                let ceiling = "libturbojpeg alone, on planes that need no work, is \(two(result.ceiling)) times as fast"
                let sentence =
                    "\(name(color)) is \(two(result.ratio)) times as fast, and \(target) is the target; \(ceiling)."
                if result.ratio < enough { missed.append(sentence) } else { print(sentence) }
            }
            // A corrected picture has more contrast than the reference, which leaves it as it is: no target there.
            if color.range == .full, abs(result.sizeDifference) > 2 {
                missed.append(
                    "\(name(color)) differs by \(two(result.sizeDifference)) % in size, and 2 % is the limit."
                )
            }
            if color.range == .limited, result.oursPSNR < result.referencePSNR + 3 {
                missed.append("\(name(color)) is not corrected: PSNR \(two(result.oursPSNR)) dB.")
            }
        }
        missed += try passthrough(picture)
        missed += try looks(picture)
        for row in try RenderingCosts(picture).measure() {
            let name = row.name.padding(toLength: 40, withPad: " ", startingAt: 0)
            print("\(name)\(two(row.milliseconds)) ms  \(row.bytes) bytes")
        }
        return missed
    }

    /// Time to pass on a camera's own JPEG; 0.3 ms is the limit for a picture of 200 kB.
    private static func passthrough(_ picture: BenchmarkPicture) throws -> [String] {
        let jpeg = try picture.jpeg(quality: 87)
        var inspector = JPEGInspector()
        var times: [Double] = []
        for _ in 0..<Comparison.runs {
            let time = ThreadClock.milliseconds {
                let bytes = jpeg.rawSpan
                let seen = JPEGInspection(bytes, expected: picture.size, depth: .segments, with: &inspector)
                _ = seen.whole?.copied(from: bytes)
            }
            times.append(time)
        }
        let median = Comparison.median(times)
        print("MJPEG passed through: \(jpeg.count) bytes in \(String(format: "%.3f", median)) ms")
        let limit = 0.3 * max(1, Double(jpeg.count) / 200_000)
        return median < limit ? [] : ["Passing MJPEG through takes \(median) ms, and \(limit) is the limit."]
    }

    /// Time to detect a black, uniform or frozen picture, raw and as a JPEG; 1 ms is the limit for each.
    private static func looks(_ picture: BenchmarkPicture) throws -> [String] {
        let (bytes, layout) = (picture.yuyv(.jfif), picture.layout(.jfif))
        let jpeg = try picture.jpeg(quality: 85)
        var inspector = JPEGInspector()
        var (raw, compressed): ([Double], [Double]) = ([], [])
        for _ in 0..<Comparison.runs {
            raw.append(
                try ThreadClock.milliseconds {
                    _ = try unsafe FrameStatistics(bytes.span.bytes, layout: layout)
                    _ = unsafe ByteDigest.of(bytes.span.bytes)
                }
            )
            compressed.append(
                try ThreadClock.milliseconds {
                    _ = try inspector.emptiness(of: jpeg.rawSpan)
                    _ = unsafe ByteDigest.of(jpeg.span.bytes)
                }
            )
        }
        return [("YUYV", Comparison.median(raw)), ("MJPEG", Comparison.median(compressed))].compactMap { name, median in
            print("A look at \(name): \(String(format: "%.3f", median)) ms")
            return median < 1 ? nil : "A look at \(name) takes \(median) ms, and 1 ms is the limit."
        }
    }

    private static func name(_ color: ColorEncoding) -> String { "\(color.matrix.rawValue) \(color.range.rawValue)" }
    private static func two(_ value: Double) -> String { String(format: "%.2f", value) }

    private static func line(_ result: Comparison) -> String {
        let columns: [(value: Double, format: String)] = [
            (result.referenceMs, "%12.2f"), (result.oursMs, "%12.2f"), (result.planesMs, "%15.2f"),
            (result.ratio, "%7.2f"), (result.ceiling, "%11.2f"), (Double(result.referenceBytes), "%11.0f"),
            (Double(result.oursBytes), "%11.0f"), (result.sizeDifference, "%8.2f"),
            (result.referencePSNR, "%14.2f"), (result.oursPSNR, "%9.2f"),
        ]
        let start = name(result.color).padding(toLength: 16, withPad: " ", startingAt: 0)
        return start + columns.map { String(format: $0.format, $0.value) }.joined()
    }
}

extension ColorEncoding {
    fileprivate static func limited(_ matrix: Matrix) -> ColorEncoding { .init(matrix: matrix, range: .limited) }
}
