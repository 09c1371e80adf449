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

    /// Reads the data of an APP1 segment, its identifier included; nil if libexif finds no data in it.
    init?(_ bytes: RawSpan) {
        let data = unsafe bytes.withUnsafeBytes { bytes in
            unsafe exif_data_new_from_data(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(bytes.count))
        }
        guard let data = unsafe data else { return nil }
        defer { unsafe exif_data_unref(data) }
        let first = unsafe data.pointee.ifd.0
        make = unsafe Self.text(exif_content_get_entry(first, EXIF_TAG_MAKE))
        model = unsafe Self.text(exif_content_get_entry(first, EXIF_TAG_MODEL))
        guard let entry = unsafe exif_content_get_entry(first, EXIF_TAG_ORIENTATION),
            unsafe entry.pointee.format == EXIF_FORMAT_SHORT, unsafe entry.pointee.size >= 2
        else { return }
        let number = unsafe exif_get_short(entry.pointee.data, exif_data_get_byte_order(data))
        orientation = (1...8).contains(number) ? number : nil
    }

    private static func text(_ entry: UnsafeMutablePointer<ExifEntry>?) -> String? {
        guard let entry = unsafe entry, unsafe entry.pointee.format == EXIF_FORMAT_ASCII,
            let start = unsafe entry.pointee.data
        else { return nil }
        let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(entry.pointee.size))
        return ExifFacts.ascii(unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
    }
}
