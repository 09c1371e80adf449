// SPDX-License-Identifier: Apache-2.0
import Testing
import TintypeDevice
import TintypeImaging
import TintypeModel

/// Frame number and exposure time drawn in a picture of the test pattern.
func drawnCode(in jpeg: [UInt8]) throws -> PatternCode {
    var decoder = JPEGDecoder()
    let (size, luma) = try decoder.decodeLuma(jpeg.rawSpan)
    return try #require(PatternCode(luma: luma, size: size), "the picture carries no code")
}

extension Still {
    /// Frame number and exposure time drawn by the test pattern, read after undoing turn and flip of the rendering
    /// pixel by pixel.
    func code(undoing rendering: ImageOptions = ImageOptions()) throws -> PatternCode {
        var decoder = JPEGDecoder()
        var (size, luma) = try decoder.decodeLuma(picture.rawSpan)
        #expect(size == FrameSize(width: record.width, height: record.height))
        // Turns the picture on to a full circle.
        for _ in 0..<(360 - rendering.turn.rawValue) / 90 % 4 {
            let (old, before) = (luma, size)
            size = FrameSize(width: before.height, height: before.width)
            luma = (0..<size.height).flatMap { y in
                (0..<size.width).map { x in old[(before.height - 1 - x) * before.width + y] }
            }
        }
        let rows = (0..<size.height).map { Array(luma[$0 * size.width..<($0 + 1) * size.width]) }
        switch rendering.flip {
        case .horizontal: luma = rows.flatMap { $0.reversed() }
        case .vertical: luma = Array(rows.reversed().joined())
        case nil: break
        }
        return try #require(PatternCode(luma: luma, size: size), "the picture carries no code")
    }
}
