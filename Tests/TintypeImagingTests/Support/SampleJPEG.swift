// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
internal import TintypeImaging
internal import TintypeModel

/// JPEG pictures for the tests of what reads them.
enum SampleJPEG {
    /// A picture by our encoder.
    static func baseline(_ size: FrameSize, quality: Int = 90) throws -> [UInt8] {
        var encoder = try JPEGEncoder()
        let layout = PictureLayout(pixelFormat: .rgb24, size: size, bytesPerRow: size.width * 3, color: .jfif)
        return try unsafe encoder.encode(
            SamplePicture.smooth(size).render(layout).span.bytes,
            layout: layout,
            quality: quality
        )
    }

    /// A progressive picture, with several scans, by libturbojpeg itself; empty if it refuses.
    static func progressive(_ size: FrameSize) -> [UInt8] {
        let layout = PictureLayout(pixelFormat: .rgb24, size: size, bytesPerRow: size.width * 3, color: .jfif)
        let pixels = SamplePicture.smooth(size).render(layout)
        let (width, height) = (Int32(size.width), Int32(size.height))
        let kind = Int32(TJSAMP_420.rawValue)
        var result = [UInt8](repeating: 0, count: Int(tjBufSize(width, height, kind)))
        var count = UInt(result.count)
        guard let handle = unsafe tjInitCompress() else { return [] }
        defer { unsafe _ = tjDestroy(handle) }
        let status = unsafe result.withUnsafeMutableBufferPointer { buffer in
            var target = buffer.baseAddress
            let flags = TJFLAG_NOREALLOC | TJFLAG_PROGRESSIVE
            return unsafe tjCompress2(
                handle,
                pixels,
                width,
                0,
                height,
                Int32(TJPF_RGB.rawValue),
                &target,
                &count,
                kind,
                80,
                flags
            )
        }
        return status == 0 ? Array(result.prefix(Int(count))) : []
    }

    /// The segments between SOI and the first scan: marker and whole range, marker included.
    static func segments(_ jpeg: [UInt8]) -> [(marker: UInt8, range: Range<Int>)] {
        var found: [(marker: UInt8, range: Range<Int>)] = []
        var place = 2
        while place + 4 <= jpeg.count, jpeg[place] == 0xFF {
            let length = Int(jpeg[place + 2]) * 256 + Int(jpeg[place + 3])
            found.append((jpeg[place + 1], place..<place + 2 + length))
            if jpeg[place + 1] == 0xDA { break }
            place += 2 + length
        }
        return found
    }

    /// The picture as a webcam sends it that leaves the Huffman tables out.
    static func withoutTables(_ jpeg: [UInt8]) -> [UInt8] {
        var stripped = jpeg
        for segment in segments(jpeg).reversed() where segment.marker == 0xC4 {
            stripped.removeSubrange(segment.range)
        }
        return stripped
    }

    /// Everything from the first scan header on.
    static func scan(_ jpeg: [UInt8]) -> ArraySlice<UInt8> {
        jpeg[(segments(jpeg).last { $0.marker == 0xDA }?.range.lowerBound ?? jpeg.endIndex)...]
    }
}
