// SPDX-License-Identifier: Apache-2.0
internal import CExif

/// What a camera says of itself in the EXIF data of its own picture, read by libexif.
package struct CameraExif: Hashable, Sendable {
    /// Who made it; printable ASCII.
    var make: String?
    /// What it is called; printable ASCII.
    var model: String?
    /// Which way round its pixels lie, 1 to 8 (Exif 2.3, 4.6.4, "Orientation"); nil if it does not say.
    package var orientation: UInt16?

    /// Reads the EXIF data of a JPEG picture, up to its frame header; nil where it has none, or nothing that is readable.
    ///
    /// Any thread; never blocks. Reads nothing outside `jpeg`.
    package init?(in jpeg: RawSpan) {
        guard let segment = ApplicationSegments(jpeg)?.exif.first else { return nil }
        self.init(jpeg.extracting(segment.body))
    }

    /// Reads the data of an APP1 segment, its identifier included.
    init?(_ bytes: RawSpan) {
        guard let data = ExifEntries(bytes, isCorrected: true) else { return nil }
        make = data.text(EXIF_TAG_MAKE, EXIF_IFD_0)
        model = data.text(EXIF_TAG_MODEL, EXIF_IFD_0)
        orientation = data.short(EXIF_TAG_ORIENTATION, EXIF_IFD_0).flatMap { (1...8).contains($0) ? $0 : nil }
    }
}
