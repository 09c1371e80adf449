// SPDX-License-Identifier: Apache-2.0

/// What looks at JPEG pictures: our reader at the codes of a baseline picture, and libturbojpeg at all that the reader does
/// not cover.
///
/// It keeps tables and decoder from picture to picture. One thread at a time uses it; it blocks for as long as a picture
/// takes.
package struct JPEGInspector: ~Copyable {
    var reader = JPEGScanReader()
    /// Made for the first picture that is decoded.
    package var decoder = DecoderOnDemand()

    /// An inspector that has looked at nothing yet.
    package init() {}

    /// The numbers of a picture; damage that libjpeg can go on after is no matter here.
    ///
    /// Standard Huffman tables may be missing, as in the pictures of many webcams.
    ///
    /// - Throws: ``ImagingError/notJPEG(_:)`` with libjpeg's message, ``ImagingError/refused(_:)`` for a progressive picture
    ///   of more than 16 megapixels.
    package mutating func statistics(of jpeg: RawSpan) throws(ImagingError) -> FrameStatistics {
        if case .whole = try? reader.read(jpeg), reader.isPlain { return FrameStatistics(reader.means) }
        return try decoder.use { (decoder) throws(ImagingError) in try decoder.statistics(of: jpeg) }
    }

    /// Whether a picture shows anything; of most pictures only the beginning is read.
    ///
    /// - Throws: as ``statistics(of:)``.
    package mutating func emptiness(of jpeg: RawSpan) throws(ImagingError) -> Emptiness {
        if let emptiness = reader.emptiness(of: jpeg) { return emptiness }
        return try decoder.use { (decoder) throws(ImagingError) in try decoder.statistics(of: jpeg) }.emptiness
    }

    /// The same of a picture that is at hand as an array.
    package mutating func emptiness(of jpeg: [UInt8]) throws(ImagingError) -> Emptiness {
        try unsafe emptiness(of: jpeg.span.bytes)
    }
}
