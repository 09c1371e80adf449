// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension JPEGDecoder {
    /// Pixels of a picture that libjpeg cannot decode row by row.
    private static let largestBufferedArea = 16_000_000

    /// Reads the headers up to the first scan; the picture may be truncated after that.
    ///
    /// Throws ``ImagingError/refused(_:)`` if decoding takes too much memory at any scale, ``ImagingError/notJPEG(_:)``
    /// (also for a size that no camera has) or ``ImagingError/truncated``.
    static func checkedHeader(of jpeg: RawSpan) throws(ImagingError) -> JPEGHeader {
        var walk = try JPEGWalk(jpeg)
        while true {
            let segment = try walk.next()
            guard segment.marker == .startOfScan || segment.marker == .endOfImage else { continue }
            guard let header = walk.frame, segment.payload.byteCount > 0 else { throw .notJPEG("it has no scan (SOS)") }
            try checkArea(of: header.size)
            // If the first scan is not the whole picture, libjpeg buffers all coefficients: at least 3 bytes per pixel.
            let isBuffered = header.isProgressive || Int(segment.payload.byte(at: 0)) < header.componentCount
            guard isBuffered, header.size.area > largestBufferedArea else { return header }
            let kind = header.isProgressive ? "is progressive" : "has its colours in separate scans"
            let tenths = (header.size.area + 50_000) / 100_000
            let problem = Problem(
                .configurationUnsupported,
                "The JPEG picture \(kind) and has \(tenths / 10).\(tenths % 10) megapixels (\(header.size)), more than "
                    + "the \(largestBufferedArea / 1_000_000) up to which one of its kind is decoded.",
                remedy: "Take the picture as it is, with integrity tolerant, or have the camera deliver a smaller or a "
                    + "baseline one."
            )
            throw .refused(problem)
        }
    }

    /// Like ``checkedHeader(of:)``, with the size read by libturbojpeg; reads the headers of large pictures only.
    static func checkMemory(of jpeg: RawSpan, _ size: FrameSize) throws(ImagingError) {
        try checkArea(of: size)
        if size.area > largestBufferedArea { _ = try checkedHeader(of: jpeg) }
    }

    private static func checkArea(of size: FrameSize) throws(ImagingError) {
        guard size.area <= largestArea else {
            throw .notJPEG("\(size) is more than the \(largestArea) pixels that we decode")
        }
    }
}
