// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// What the segments of a JPEG picture before its first scan say of how it is coded; the rest need not be there.
struct JPEGOutline: Equatable {
    /// The size of the picture.
    let size: FrameSize
    /// 1 for greyscale.
    let componentCount: Int
    /// What its chroma samples stand for; nil for what libturbojpeg has no name for.
    let sampling: ChromaSampling?
    /// The sides of what cannot be taken apart without decoding (MCU), in pixels.
    let unit: FrameSize
    /// Whether it comes in several passes (SOF2).
    let isProgressive: Bool
    /// Whether not all of it is in the first scan, so that libjpeg keeps all coefficients.
    let isBuffered: Bool

    /// Reads the segments; reads nothing outside `bytes`.
    ///
    /// - Throws: ``ImagingError/notJPEG(_:)`` or ``ImagingError/truncated``.
    init(_ bytes: RawSpan) throws(ImagingError) {
        var walk = try JPEGMarkerWalk(bytes)
        var frame: JPEGHeader?
        while true {
            let segment = try walk.next(in: bytes)
            if segment.marker.isFrameHeader {
                guard frame == nil else { throw .notJPEG("it has two frame headers (SOF)") }
                frame = try JPEGHeader(segment, in: bytes)
                continue
            }
            guard segment.marker == .startOfScan || segment.marker == .endOfImage else { continue }
            guard let header = frame else { throw .notJPEG("it has no frame header (SOF) before its first scan") }
            guard segment.marker == .startOfScan, !segment.body.isEmpty else {
                throw .notJPEG("it has no scan (SOS)")
            }
            size = header.size
            componentCount = header.componentCount
            isProgressive = header.isProgressive
            isBuffered =
                header.isProgressive || Int(bytes.byte(at: segment.body.lowerBound)) < header.componentCount
            sampling = header.sampling
            let largest = header.largestFactors
            // A single component is not interleaved: its factors say nothing.
            unit =
                componentCount > 1
                ? FrameSize(width: 8 * largest.horizontal, height: 8 * largest.vertical)
                : FrameSize(width: 8, height: 8)
            return
        }
    }
}
