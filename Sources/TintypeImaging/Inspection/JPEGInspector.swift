// SPDX-License-Identifier: Apache-2.0

/// What looks at JPEG pictures: our reader at the codes of a baseline picture, and libturbojpeg at all that the reader does
/// not cover.
///
/// It keeps tables and decoder from picture to picture. One thread at a time uses it; it blocks for as long as a picture
/// takes.
package struct JPEGInspector: ~Copyable {
    var reader = JPEGScanReader()
    /// For what the reader does not cover.
    package var decoder = JPEGDecoder()

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
        return try decoder.statistics(of: jpeg)
    }

    /// The same of a picture that has to be whole.
    ///
    /// - Throws: as ``statistics(of:)``, and ``ImagingError/entropy(_:)`` where damage is found.
    package mutating func statistics(ofWhole jpeg: RawSpan) throws(ImagingError) -> FrameStatistics {
        let finding = try reader.read(jpeg)
        if case .damaged(let why) = finding { throw .entropy(why) }
        if case .whole = finding, reader.isPlain { return FrameStatistics(reader.means) }
        return try decoder.statistics(of: jpeg)
    }

    /// Whether a picture shows anything; of most pictures only the beginning is read.
    ///
    /// - Throws: as ``statistics(of:)``.
    package mutating func emptiness(of jpeg: RawSpan) throws(ImagingError) -> Emptiness {
        if let emptiness = reader.emptiness(of: jpeg) { return emptiness }
        return try decoder.statistics(of: jpeg).emptiness
    }
}
