// SPDX-License-Identifier: Apache-2.0
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

struct PlaneSplitterTests {
    /// True for the planes that lie in the source buffer.
    private func inPlace(
        _ format: FourCC,
        width: Int = 64,
        range: ColorEncoding.Range = .full
    ) throws -> (luma: Bool, chroma: Bool) {
        let color = ColorEncoding(matrix: .bt601, range: range)
        let layout = PictureLayout(format, FrameSize(width: width, height: 48), color)
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
    func `planar input is compressed in place`(_ format: FourCC) throws {
        let found = try inPlace(format)
        #expect(found.luma && found.chroma)
    }

    @Test(arguments: [FourCC.nv12, .nv21])
    func `semi-planar luma is compressed in place`(_ format: FourCC) throws {
        let found = try inPlace(format)
        #expect(found.luma && !found.chroma)
    }

    @Test(arguments: [FourCC.yu12, .nv12, .yuv422p])
    func `a picture of odd width is copied`(_ format: FourCC) throws {
        #expect(try !inPlace(format, width: 63).luma)
    }

    @Test(arguments: [FourCC.yu12, .yv12, .yuv422p, .nv12, .grey])
    func `a colour-corrected picture is copied`(_ format: FourCC) throws {
        #expect(try !inPlace(format, range: .limited).luma)
    }
}
