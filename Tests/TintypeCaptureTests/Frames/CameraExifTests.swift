// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeDevice
import TintypeImaging
import TintypeModel

@testable import TintypeCapture

struct CameraExifTests {
    private static let size = FrameSize(width: 192, height: 128)

    /// A options and the values expected from exiftool.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let rendering: ImageOptions
        let size: String
        let orientation: String
        let average: Int

        init(
            _ testDescription: String,
            _ rendering: ImageOptions = ImageOptions(),
            _ size: String = "192x128",
            orientation: String = "6",
            average: Int = 1
        ) {
            self.testDescription = testDescription
            self.rendering = rendering
            (self.size, self.orientation, self.average) = (size, orientation, average)
        }
    }

    private static let cases = [
        Case("as it is"), Case("with an effect on nothing", ImageOptions(width: 4000, isLossless: false)),
        Case("width", ImageOptions(width: 96), "96x64"), Case("height", ImageOptions(height: 32), "48x32"),
        Case("crop in whole blocks", ImageOptions(crop: CropRectangle("64x48+16+16")), "64x48"),
        Case("crop to the pixel", ImageOptions(crop: CropRectangle("63x47+5+3"), isLossless: false), "63x47"),
        Case("overlay", ImageOptions(overlay: "%F")), Case("average", average: 2),
        // A turned picture is stored upright.
        Case("turn in whole blocks", ImageOptions(turn: .quarter), "128x192", orientation: "1"),
        Case("turn to the pixel", ImageOptions(width: 60, turn: .half), "60x40", orientation: "1"),
        Case("flip", ImageOptions(flip: .horizontal), orientation: "1"),
    ]

    private static func jpeg() throws -> [UInt8] {
        let layout = PictureLayout(pixelFormat: .yu12, size: size, bytesPerRow: size.width, color: .jfif)
        let bytes = (0..<size.area * 3 / 2).map { UInt8(60 + $0 % 101) }
        var encoder = JPEGEncoder()
        let plain = try unsafe encoder.encode(bytes.span.bytes, layout: layout, quality: 90)
        return Exif.added(to: plain, make: "Acme", model: "Eye", orientation: 6)
    }

    /// A still with EXIF data; `camera` is the identity known from other sources.
    private static func still(_ wanted: Case, of camera: CameraIdentity? = nil) throws -> [UInt8] {
        let (jpeg, clock) = (try jpeg(), TestClock())
        let first = Frame(jpeg, size)
        let options = EncodingOptions(wanted.rendering, integrity: .strict, average: wanted.average)
        var codecs = EncodingThreads.Codecs(clock: clock)
        var made = EncodedImage(of: first, by: clock, size: size, verdict: .intact)
        if wanted.average > 1 {
            let part = options.part(of: FrameAverage(count: wanted.average, first: first.stamp))
            for ordinal in 1...UInt64(wanted.average) {
                made = try codecs.render(Frame(jpeg, .jpeg(size), ordinal: ordinal), as: part)
            }
        } else {
            made = try codecs.render(first, as: options)
        }
        made.describe(options, CameraFacts(identity: camera, reading: nil, position: nil))
        return made.jpeg
    }

    @Test(arguments: cases)
    func `stills keep the camera's make, model and orientation`(_ wanted: Case) throws {
        let still = try Self.still(wanted)
        let tags = try Exif.tags(of: still)
        #expect(tags["Make"] == "Acme" && tags["Model"] == "Eye")
        #expect(tags["Orientation"] == wanted.orientation)
        #expect(try JPEGHeader.read(still.rawSpan).size.description == wanted.size)
        #expect("\(tags["ExifImageWidth"] ?? "")x\(tags["ExifImageHeight"] ?? "")" == wanted.size)
    }

    @Test func `USB names take precedence over EXIF names`() throws {
        var camera = PatternDevice.identity(named: "pattern")
        (camera.manufacturer, camera.product) = ("Maker", "Product")
        for wanted in Self.cases {
            let tags = try Exif.tags(of: Self.still(wanted, of: camera))
            #expect(tags["Make"] == "Maker" && tags["Model"] == "Product" && tags["Orientation"] == wanted.orientation)
        }
    }
}
