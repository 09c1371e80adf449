// SPDX-License-Identifier: Apache-2.0
internal import CTurboJPEG
internal import Foundation
internal import TestSupport
internal import Testing
internal import TintypeModel

@testable internal import TintypeImaging

enum SampleJPEG {
    /// Baseline picture made by `JPEGEncoder`.
    static func baseline(_ size: FrameSize, quality: Int = 90) throws -> [UInt8] {
        let layout = PictureLayout(.rgb24, size)
        return try encoded(SamplePicture.smooth(size).render(layout), layout, quality: quality)
    }

    static func encoded(_ bytes: [UInt8], _ layout: PictureLayout, quality: Int) throws(ImagingError) -> [UInt8] {
        var encoder = JPEGEncoder()
        return try encoder.encode(bytes.rawSpan, layout: layout, quality: quality)
    }

    /// Decodes the luma of a picture with a new decoder.
    static func luma(_ jpeg: [UInt8]) throws(ImagingError) -> [UInt8] {
        var decoder = JPEGDecoder()
        return try decoder.decodeLuma(jpeg.rawSpan).luma
    }

    /// Decodes R, G and B of a picture with a new decoder.
    static func pixels(_ jpeg: [UInt8]) throws(ImagingError) -> [UInt8] {
        var decoder = JPEGDecoder()
        return try decoder.decodeRGB(jpeg.rawSpan).rgb
    }

    /// Baseline picture with this chroma sampling, made by libturbojpeg; empty on error.
    static func sampled(_ sampling: ChromaSampling, _ size: FrameSize, quality: Int32 = 92) -> [UInt8] {
        compressed(size, kind: sampling.code, quality: quality, flags: TJFLAG_ACCURATEDCT)
    }

    /// Progressive picture with several scans, made by libturbojpeg; empty on error.
    static func progressive(_ size: FrameSize) -> [UInt8] {
        compressed(size, kind: ChromaSampling.quarter.code, quality: 80, flags: TJFLAG_PROGRESSIVE)
    }

    private static func compressed(_ size: FrameSize, kind: Int32, quality: Int32, flags: Int32) -> [UInt8] {
        let layout = PictureLayout(.rgb24, size)
        let pixels = SamplePicture.smooth(size).render(layout)
        let (width, height) = (Int32(size.width), Int32(size.height))
        var result = [UInt8](repeating: 0, count: Int(tjBufSize(width, height, kind)))
        var count = UInt(result.count)
        guard let handle = unsafe tjInitCompress() else { return [] }
        defer { unsafe _ = tjDestroy(handle) }
        let status = unsafe result.withUnsafeMutableBufferPointer { buffer in
            var target = buffer.baseAddress
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
                quality,
                TJFLAG_NOREALLOC | flags
            )
        }
        return status == 0 ? Array(result.prefix(Int(count))) : []
    }

    /// Segments between SOI and the first scan; the ranges include the markers.
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

    /// Removes the segments with this marker.
    static func without(_ marker: UInt8, _ jpeg: [UInt8]) -> [UInt8] {
        var stripped = jpeg
        for segment in segments(jpeg).reversed() where segment.marker == marker {
            stripped.removeSubrange(segment.range)
        }
        return stripped
    }

    /// Removes the Huffman tables, as some webcams do.
    static func withoutTables(_ jpeg: [UInt8]) -> [UInt8] { without(0xC4, jpeg) }

    /// Bytes from the first scan header to the end.
    static func scan(_ jpeg: [UInt8]) -> ArraySlice<UInt8> {
        jpeg[(segments(jpeg).last { $0.marker == 0xDA }?.range.lowerBound ?? jpeg.endIndex)...]
    }

    /// Changes the size in the frame header.
    static func resized(_ jpeg: [UInt8], to size: FrameSize) -> [UInt8] {
        var changed = jpeg
        for segment in segments(jpeg) where [0xC0, 0xC1, 0xC2].contains(segment.marker) {
            let place = segment.range.lowerBound + 5
            let sides = [size.height >> 8, size.height & 255, size.width >> 8, size.width & 255]
            changed.replaceSubrange(place..<place + 4, with: sides.map { UInt8($0) })
        }
        return changed
    }
}

/// Seed corpus of the fuzzers.
enum Corpus {
    static func file(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: Repository.folder.appending(path: "Tests/Fuzz/corpus/\(name)")))
    }
}

/// Passes a camera picture through as a `tolerant` still: a whole file from SOI to EOI.
///
/// - Throws: the first fault of the picture.
func passedThrough(_ bytes: RawSpan, expected: FrameSize? = nil) throws(ImagingError) -> [UInt8] {
    var inspector = JPEGInspector()
    let seen = JPEGInspection(bytes, expected: expected, depth: .segments, with: &inspector)
    if let fault = seen.faults.first { throw fault }
    guard let whole = seen.whole else { throw .truncated }
    return whole.copied(from: bytes)
}
