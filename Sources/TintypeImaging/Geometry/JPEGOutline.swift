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
        var frame: (header: JPEGHeader, body: Range<Int>)?
        while true {
            let segment = try walk.next(in: bytes)
            if segment.marker.isFrameHeader {
                guard frame == nil else { throw .notJPEG("it has two frame headers (SOF)") }
                frame = (try JPEGHeader(segment, in: bytes), segment.body)
                continue
            }
            guard segment.marker == .startOfScan || segment.marker == .endOfImage else { continue }
            guard let frame else { throw .notJPEG("it has no frame header (SOF) before its first scan") }
            guard segment.marker == .startOfScan, !segment.body.isEmpty else {
                throw .notJPEG("it has no scan (SOS)")
            }
            let header = frame.header
            size = header.size
            componentCount = header.componentCount
            isProgressive = header.isProgressive
            isBuffered =
                header.isProgressive || Int(bytes.byte(at: segment.body.lowerBound)) < header.componentCount
            (sampling, unit) = try Self.sampling(header.componentCount, frame.body, in: bytes)
            return
        }
    }

    /// Reads the sampling factors of a frame header (ITU-T T.81, B.2.2), whose length was checked.
    private static func sampling(
        _ count: Int,
        _ body: Range<Int>,
        in bytes: RawSpan
    ) throws(ImagingError) -> (ChromaSampling?, FrameSize) {
        // A single component is not interleaved: its factors say nothing.
        guard count > 1 else { return (.grey, FrameSize(width: 8, height: 8)) }
        var factors: [FrameSize] = []
        for index in 0..<count {
            let byte = Int(bytes.byte(at: body.lowerBound + 7 + 3 * index))
            let factor = FrameSize(width: byte >> 4, height: byte & 15)
            guard (1...4).contains(factor.width), (1...4).contains(factor.height) else {
                throw .notJPEG("its sampling factors are \(factor)")
            }
            factors.append(factor)
        }
        let most = FrameSize(width: factors.map(\.width).max() ?? 1, height: factors.map(\.height).max() ?? 1)
        let unit = FrameSize(width: 8 * most.width, height: 8 * most.height)
        guard count == 3, factors[0] == most, factors[1] == factors[2],
            most.width.isMultiple(of: factors[1].width), most.height.isMultiple(of: factors[1].height)
        else { return (nil, unit) }
        let ratio = (columns: most.width / factors[1].width, rows: most.height / factors[1].height)
        return (ChromaSampling(columns: ratio.columns, rows: ratio.rows), unit)
    }
}
