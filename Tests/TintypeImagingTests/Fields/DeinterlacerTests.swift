// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeImaging

struct DeinterlacerTests {
    private static let formats: [FourCC] = [.yuyv, .nv12, .nv16, .yu12, .yuv422p, .grey, .y10, .rgb24, .xrgb32]

    private func layout(_ format: FourCC, _ fields: FieldOrder, _ way: Deinterlacing) -> PictureLayout {
        var layout = PictureLayout(format, FrameSize(width: 16, height: 8), padding: 6)
        (layout.fields, layout.deinterlacing) = (fields, way)
        return layout
    }

    /// Planes whose rows are filled with `value` of the row index.
    private func bytes(_ layout: PictureLayout, _ value: (Int) -> UInt8) -> [UInt8] {
        layout.planes.flatMap { plane in
            (0..<plane.rows).flatMap { [UInt8](repeating: value($0), count: plane.stride) }
        }
    }

    @Test(arguments: formats)
    func `every mode but weave removes combing`(_ format: FourCC) throws {
        for way in Deinterlacing.allCases {
            let layout = layout(format, .woven, way)
            let moving = bytes(layout) { $0.isMultiple(of: 2) ? 40 : 200 }
            #expect(moving.count == layout.byteCount)
            let made = try Deinterlacer.picture(moving.rawSpan, layout: layout)
            switch way {
            case .double: #expect(Set(made) == [40])
            case .weave: #expect(made == moving)
            case .blend where format == .y10: #expect(Set(made) == [40])
            case .blend:
                // The first and the last row replace their missing neighbour.
                for plane in layout.planes {
                    for row in 0..<plane.rows {
                        let wanted: UInt8 = row == 0 ? 80 : row == plane.rows - 1 ? 160 : 120
                        #expect(made[plane.start + row * plane.stride] == wanted)
                    }
                }
            }
        }
    }

    @Test(arguments: formats)
    func `weaving a single field doubles its rows`(_ format: FourCC) throws {
        let layout = layout(format, .alternating, .weave)
        let field = bytes(layout) { UInt8(10 * $0) }
        #expect(field.count == layout.byteCount)
        let made = try Deinterlacer.picture(field.rawSpan, layout: layout)
        #expect(made == bytes(layout.whole) { UInt8(10 * ($0 / 2)) })
        #expect(made.count == layout.whole.byteCount)
    }

    @Test func `a short buffer is an error`() {
        let layout = layout(.grey, .alternating, .double)
        let few = [UInt8](repeating: 0, count: 3)
        #expect(throws: ImagingError.short(have: 3, need: 22 * 4)) {
            try Deinterlacer.picture(few.rawSpan, layout: layout)
        }
    }
}
