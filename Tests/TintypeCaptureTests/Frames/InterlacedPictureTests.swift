// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture
@testable import TintypeImaging

struct InterlacedPictureTests {
    private static let size = FrameSize(width: 64, height: 48)

    /// A frame of something that moves: the top field sees it bright, the bottom field dark.
    private func picture(_ fields: FieldOrder, _ way: Deinterlacing) -> CapturedPicture {
        var layout = PictureLayout.grey(Self.size)
        (layout.fields, layout.deinterlacing) = (fields, way)
        let bytes = (0..<layout.storedRows).flatMap { row in
            [UInt8](repeating: fields == .alternating || row.isMultiple(of: 2) ? 200 : 40, count: Self.size.width)
        }
        return CapturedPicture(bytes, layout)
    }

    /// The brightest and the darkest pixel of the still, which is decoded.
    private func extremes(_ picture: CapturedPicture, width: Int? = nil) throws -> (dark: UInt8, bright: UInt8) {
        var codecs = EncodingThreads.Codecs(clock: TestClock())
        var rendering = ImageOptions()
        rendering.width = width
        let made = try codecs.render(picture, as: Rendition(rendering, integrity: .strict))
        #expect(made.deinterlaced == picture.layout.deinterlaced)
        var decoder = JPEGDecoder()
        let (size, pixels) = try decoder.decodeRGB(made.jpeg.rawSpan, strict: true)
        #expect(size == (width == nil ? Self.size : FrameSize(width: 32, height: 24)))
        let whole = try codecs.statistics(of: picture)
        #expect(whole.emptiness.isBlack == false)
        return (pixels.min() ?? 0, pixels.max() ?? 0)
    }

    @Test(arguments: [nil, 32])
    func `a still of interlaced video has combs only where it is to be woven`(_ width: Int?) throws {
        let double = try extremes(picture(.woven, .double), width: width)
        #expect(double.dark > 190)
        let blend = try extremes(picture(.woven, .blend), width: width)
        // The first row and the last lack a neighbour.
        #expect(blend.dark > 60 && blend.bright < 180)
        if width == nil {
            let weave = try extremes(picture(.woven, .weave))
            #expect(weave.dark < 60 && weave.bright > 180)
        }
    }

    @Test func `a still of one field has the height of a whole picture`() throws {
        #expect(try extremes(picture(.alternating, .weave)).dark > 190)
    }
}
