// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Headers of a JPEG picture up to its first scan; the picture may be truncated after that.
struct JPEGOutline {
    let header: JPEGHeader
    /// The first scan is not the whole picture: libjpeg buffers all coefficients, at least three bytes per pixel.
    let isBuffered: Bool

    /// Pixels of a picture that libjpeg cannot decode row by row.
    fileprivate static let largestBufferedArea = 16_000_000

    /// Reads nothing outside `bytes`; throws ``ImagingError/notJPEG(_:)`` or ``ImagingError/truncated``.
    init(_ bytes: RawSpan) throws(ImagingError) {
        var walk = try JPEGWalk(bytes)
        while true {
            let segment = try walk.next()
            guard segment.marker == .startOfScan || segment.marker == .endOfImage else { continue }
            guard let frame = walk.frame, segment.payload.byteCount > 0 else { throw .notJPEG("it has no scan (SOS)") }
            header = frame
            isBuffered = frame.isProgressive || Int(segment.payload.byte(at: 0)) < frame.componentCount
            return
        }
    }

    /// Rejects a picture that takes too much memory to decode, at any scale.
    ///
    /// Throws ``ImagingError/refused(_:)``, or ``ImagingError/notJPEG(_:)`` for a size that no camera has.
    func checkMemory() throws(ImagingError) {
        try Self.checkArea(of: header.size)
        guard !isBuffered || header.size.area <= Self.largestBufferedArea else { throw .refused(.buffered(self)) }
    }

    /// Like ``checkMemory()``, with the size read by libturbojpeg; reads the headers of large pictures only.
    static func checkMemory(of jpeg: RawSpan, _ size: FrameSize) throws(ImagingError) {
        try checkArea(of: size)
        if size.area > largestBufferedArea { try JPEGOutline(jpeg).checkMemory() }
    }

    private static func checkArea(of size: FrameSize) throws(ImagingError) {
        guard size.area <= JPEGDecoder.largestArea else {
            throw .notJPEG("\(size) is more than the \(JPEGDecoder.largestArea) pixels that we decode")
        }
    }
}

extension Problem {
    fileprivate static func buffered(_ outline: JPEGOutline) -> Problem {
        let size = outline.header.size
        let kind = outline.header.isProgressive ? "is progressive" : "has its colours in separate scans"
        let tenths = (size.area + 50_000) / 100_000
        return Problem(
            .configurationUnsupported,
            "The JPEG picture \(kind) and has \(tenths / 10).\(tenths % 10) megapixels (\(size)), more than the "
                + "\(JPEGOutline.largestBufferedArea / 1_000_000) up to which one of its kind is decoded.",
            remedy: "Take the picture as it is, with integrity tolerant, or have the camera deliver a smaller or a "
                + "baseline one."
        )
    }
}
