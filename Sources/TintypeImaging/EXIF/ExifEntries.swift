// SPDX-License-Identifier: Apache-2.0
internal import CExif

/// The entries of EXIF data as they stand there, read by libexif.
///
/// Only one thread at a time.
@safe struct ExifEntries: ~Copyable {
    /// Where an entry is.
    enum Directory {
        /// The data's first directory (IFD0).
        case zeroth
        /// The directory of the exposure (Exif IFD).
        case exif
    }

    private let data: UnsafeMutablePointer<ExifData>

    /// Reads the data of an APP1 segment, its identifier included; nil when there is no memory for it.
    init?(_ bytes: RawSpan) {
        guard let data = unsafe exif_data_new() else { return nil }
        unsafe self.data = unsafe data
        // Otherwise libexif adds entries that the standard demands, with the present time in them.
        unsafe exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe exif_data_load_data(
                data,
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                UInt32(bytes.count)
            )
        }
    }

    deinit { unsafe exif_data_unref(data) }

    /// A text, or a comment with the character code of ASCII; nil if there is none.
    func text(_ tag: ExifTag, _ directory: Directory) -> String? {
        let content =
            switch directory {
            case .zeroth: unsafe data.pointee.ifd.0
            case .exif: unsafe data.pointee.ifd.2
            }
        guard let entry = unsafe exif_content_get_entry(content, tag), let start = unsafe entry.pointee.data else {
            return nil
        }
        var bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: Int(entry.pointee.size)))
        switch unsafe entry.pointee.format {
        case EXIF_FORMAT_ASCII: break
        case EXIF_FORMAT_UNDEFINED:
            guard bytes.starts(with: Array("ASCII\0\0\0".utf8)) else { return nil }
            bytes.removeFirst(8)
        default: return nil
        }
        return ExifFacts.ascii(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
    }
}
