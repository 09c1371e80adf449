// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Which pictures would take more memory to decode than there is for one.
extension JPEGOutline {
    /// The most pixels of a picture that libjpeg cannot decode row by row: it keeps all coefficients of it, three bytes
    /// a pixel and more.
    static let largestBufferedArea = 16_000_000

    /// Refuses a picture of which libjpeg would keep all coefficients, where it is too large for that.
    func checkMemory() throws(ImagingError) {
        guard !isBuffered || size.area <= Self.largestBufferedArea else { throw .refused(.buffered(self)) }
    }
}

extension JPEGDecoder {
    /// Refuses a picture that takes too much memory to decode, at whatever part of its size.
    ///
    /// - Parameters:
    ///   - jpeg: the picture; read up to its first scan, and only where it is large.
    ///   - size: its size as libturbojpeg has read it.
    /// - Throws: ``ImagingError/refused(_:)`` for what only libjpeg needs that memory for, ``ImagingError/notJPEG(_:)`` for
    ///   a size that no camera has, and where a large picture does not say how it is coded.
    static func checkMemory(of jpeg: RawSpan, _ size: FrameSize) throws(ImagingError) {
        guard size.area <= largestArea else {
            throw .notJPEG("\(size) is more than the \(largestArea) pixels that we decode")
        }
        guard size.area > JPEGOutline.largestBufferedArea else { return }
        let outline = try JPEGOutline(jpeg)
        guard !outline.isBuffered else { throw .refused(.buffered(outline)) }
    }
}

extension Problem {
    fileprivate static func buffered(_ outline: JPEGOutline) -> Problem {
        let kind = outline.isProgressive ? "is progressive" : "has its colours in separate scans"
        let tenths = (outline.size.area + 50_000) / 100_000
        return Problem(
            .configurationUnsupported,
            "The JPEG picture \(kind) and has \(tenths / 10).\(tenths % 10) megapixels (\(outline.size)), more than the "
                + "\(JPEGOutline.largestBufferedArea / 1_000_000) up to which one of its kind is decoded.",
            remedy: "Take the picture as it is, with integrity tolerant, or have the camera deliver a smaller or a "
                + "baseline one."
        )
    }
}
