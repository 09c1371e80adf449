// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeCapture
@testable import TintypeImaging

struct InterlacedPictureTests {
    private static let size = FrameSize(width: 64, height: 48)

    /// A frame of a moving object: bright in the top field, dark in the bottom field.
    private func picture(_ fields: FieldOrder, _ way: Deinterlacing) -> Frame {
        var layout = PictureLayout.grey(Self.size)
        (layout.fields, layout.deinterlacing) = (fields, way)
        let bytes = (0..<layout.storedRows).flatMap { row in
            [UInt8](repeating: fields == .alternating || row.isMultiple(of: 2) ? 200 : 40, count: Self.size.width)
        }
        return Frame(bytes, layout)
    }

    /// Darkest and brightest pixel of the decoded still.
    private func extremes(_ picture: Frame, width: Int? = nil) throws -> (dark: UInt8, bright: UInt8) {
        var codecs = EncodingThreads.Codecs(clock: TestClock())
        var rendering = ImageOptions()
        rendering.width = width
        let made = try codecs.render(picture, as: EncodingOptions(rendering, integrity: .strict))
        #expect(made.deinterlaced == picture.layout.deinterlaced)
        var decoder = JPEGDecoder()
        let (size, pixels) = try decoder.decodeRGB(made.jpeg.rawSpan)
        #expect(size == (width == nil ? Self.size : FrameSize(width: 32, height: 24)))
        let whole = try codecs.statistics(of: picture)
        #expect(whole.emptiness.isBlack == false)
        return (pixels.min() ?? 0, pixels.max() ?? 0)
    }

    @Test(arguments: [nil, 32])
    func `only woven stills show combing`(_ width: Int?) throws {
        let double = try extremes(picture(.woven, .double), width: width)
        #expect(double.dark > 190)
        let blend = try extremes(picture(.woven, .blend), width: width)
        // The first and the last row lack a neighbour.
        #expect(blend.dark > 60 && blend.bright < 180)
        if width == nil {
            let weave = try extremes(picture(.woven, .weave))
            #expect(weave.dark < 60 && weave.bright > 180)
        }
    }

    @Test func `a still of one field has full height`() throws {
        #expect(try extremes(picture(.alternating, .weave)).dark > 190)
    }
}
