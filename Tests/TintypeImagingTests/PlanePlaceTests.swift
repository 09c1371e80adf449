// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TintypeModel

@testable import TintypeImaging

/// Planes that are not contiguous: each has its own pages and its own stride.
struct PlanePlaceTests {
    /// Copies a picture to separate planes.
    private func spread(_ bytes: [UInt8], _ layout: PictureLayout) -> (bytes: [UInt8], layout: PictureLayout) {
        var apart = layout
        var start = 0
        for (number, plane) in layout.planes.enumerated() {
            let stride = plane.stride + 16 * (number + 1)
            apart.places.append(PlanePlace(start: start, stride: stride))
            start += stride * plane.rows + 4096
        }
        apart.bytesPerRow = apart.places[0].stride
        var spread = [UInt8](repeating: 0x55, count: apart.byteCount ?? 0)
        for (from, to) in zip(layout.planes, apart.planes) {
            for row in 0..<from.rows {
                for column in 0..<from.used {
                    spread[to.start + row * to.stride + column] = bytes[from.start + row * from.stride + column]
                }
            }
        }
        return (spread, apart)
    }

    @Test(
        arguments: SeveralBuffers.all.map(\.whole),
        [ColorEncoding.jfif, ColorEncoding(matrix: .bt709, range: .limited)]
    )
    func `separate planes yield the same JPEG and statistics as one buffer`(
        _ format: FourCC,
        _ color: ColorEncoding
    ) throws {
        for size in [FrameSize(width: 64, height: 48), FrameSize(width: 33, height: 27)] {
            let together = PictureLayout(format, size, color)
            let bytes = SamplePicture.smooth(size).render(together)
            let apart = spread(bytes, together)
            var encoder = JPEGEncoder()
            let jpeg = try encoder.encode(bytes.rawSpan, layout: together, quality: 90)
            #expect(try encoder.encode(apart.bytes.rawSpan, layout: apart.layout, quality: 90) == jpeg)
            let numbers = try FrameStatistics(bytes.rawSpan, layout: together)
            let others = try FrameStatistics(apart.bytes.rawSpan, layout: apart.layout)
            #expect(others.cells == numbers.cells && others.darkest == numbers.darkest)
        }
    }

    @Test func `deinterlacing joins separate planes`() throws {
        var together = PictureLayout(.nv12, FrameSize(width: 64, height: 48))
        together.fields = .alternating
        let bytes = (0..<(together.byteCount ?? 0)).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let apart = spread(bytes, together)
        let made = try Deinterlacer.picture(apart.bytes.rawSpan, layout: apart.layout)
        let wanted = try Deinterlacer.picture(bytes.rawSpan, layout: together)
        let target = apart.layout.whole
        #expect(target.places.isEmpty && made.count == target.byteCount)
        for (one, other) in zip(target.planes, together.whole.planes) {
            for row in 0..<one.rows {
                let left = made[(one.start + row * one.stride)...].prefix(one.used)
                #expect(left.elementsEqual(wanted[(other.start + row * other.stride)...].prefix(other.used)))
            }
        }
    }

    @Test func `refuses rows longer than their stride`() {
        var layout = PictureLayout(.nv12, FrameSize(width: 64, height: 48))
        layout.places = [PlanePlace(start: 0, stride: 64), PlanePlace(start: 4096, stride: 63)]
        let bytes = [UInt8](repeating: 0, count: 8192)
        var encoder = JPEGEncoder()
        #expect(throws: ImagingError.self) { try encoder.encode(bytes.rawSpan, layout: layout, quality: 90) }
        #expect(throws: ImagingError.self) { try FrameStatistics(bytes.rawSpan, layout: layout) }
    }
}
