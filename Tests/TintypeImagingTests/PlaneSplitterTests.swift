// SPDX-License-Identifier: Apache-2.0
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

struct PlaneSplitterTests {
    private func layout(_ format: FourCC, _ width: Int, _ height: Int, _ color: ColorEncoding = .jfif) -> PictureLayout
    {
        var layout = PictureLayout(
            pixelFormat: format,
            size: FrameSize(width: width, height: height),
            bytesPerRow: 0,
            color: color
        )
        layout.bytesPerRow = layout.minimumBytesPerRow ?? 0
        return layout
    }

    /// Whether the luma and the chroma planes lie in the source buffer.
    private func inPlace(_ layout: PictureLayout) throws -> (luma: Bool, chroma: Bool) {
        let arrangement = try #require(PixelArrangement(layout.pixelFormat))
        let bytes = [UInt8](repeating: 90, count: layout.byteCount ?? 0)
        var split = PlanarPicture()
        return unsafe bytes.withUnsafeBytes { buffer -> (Bool, Bool) in
            guard let start = buffer.baseAddress else { return (false, false) }
            let splitter = unsafe PlaneSplitter(layout, at: start)
            let planes = unsafe splitter.planes(arrangement, &split)
            let end = unsafe start + buffer.count
            func lies(_ plane: SourcePlane) -> Bool {
                unsafe UnsafeRawPointer(plane.start) >= start && UnsafeRawPointer(plane.start) < end
            }
            return unsafe (lies(planes.luma), lies(planes.cb) && lies(planes.cr))
        }
    }

    @Test(arguments: [FourCC.yu12, .yv12, .yuv422p, .grey])
    func `planes that need nothing are compressed where they lie`(_ format: FourCC) throws {
        let found = try inPlace(layout(format, 64, 48))
        #expect(found.luma && found.chroma)
    }

    @Test(arguments: [FourCC.nv12, .nv21])
    func `the luma of a semi-planar picture is not copied`(_ format: FourCC) throws {
        let found = try inPlace(layout(format, 64, 48))
        #expect(found.luma && !found.chroma)
    }

    @Test(arguments: [FourCC.yu12, .nv12, .yuv422p])
    func `a picture with an odd side is copied, because libturbojpeg reads a sample further`(_ format: FourCC) throws {
        #expect(try !inPlace(layout(format, 63, 48)).luma)
    }

    @Test(arguments: [FourCC.yu12, .yv12, .yuv422p, .nv12, .grey])
    func `a picture that is corrected is copied`(_ format: FourCC) throws {
        let limited = ColorEncoding(matrix: .bt601, range: .limited)
        #expect(try !inPlace(layout(format, 64, 48, limited)).luma)
    }
}
