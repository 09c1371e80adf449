// SPDX-License-Identifier: Apache-2.0
internal import CExif
internal import Glibc

/// EXIF data, read or built entry by entry with libexif, in some 40 small allocations; not thread-safe.
@safe struct ExifEntries: ~Copyable {
    private let data: UnsafeMutablePointer<ExifData>
    private let memory: OpaquePointer

    /// Empty little-endian data; nil if out of memory.
    init?() {
        guard let memory = unsafe exif_mem_new_default() else { return nil }
        guard let data = unsafe exif_data_new_mem(memory) else {
            unsafe exif_mem_unref(memory)
            return nil
        }
        unsafe self.data = unsafe data
        unsafe self.memory = unsafe memory
        unsafe exif_data_set_byte_order(data, EXIF_BYTE_ORDER_INTEL)
    }

    /// Reads the payload of an APP1 segment including its identifier; nil if out of memory.
    ///
    /// With `isCorrected`, libexif converts entries to the specified format and adds mandatory ones, with the current
    /// time.
    init?(_ bytes: RawSpan, isCorrected: Bool) {
        self.init()
        if !isCorrected { unsafe exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION) }
        unsafe bytes.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            unsafe exif_data_load_data(data, start, UInt32(bytes.count))
        }
    }

    deinit {
        unsafe exif_data_unref(data)
        unsafe exif_mem_unref(memory)
    }

    /// Printable ASCII, also from a comment with the ASCII character code.
    func text(_ tag: ExifTag, _ ifd: ExifIfd = EXIF_IFD_EXIF) -> String? {
        guard let entry = unsafe exif_content_get_entry(content(ifd), tag), let start = unsafe entry.pointee.data else {
            return nil
        }
        var bytes = unsafe UnsafeBufferPointer(start: start, count: Int(entry.pointee.size))[...]
        switch unsafe entry.pointee.format {
        case EXIF_FORMAT_ASCII: break
        case EXIF_FORMAT_UNDEFINED:
            guard unsafe bytes.starts(with: Self.asciiCode) else { return nil }
            unsafe bytes = unsafe bytes.dropFirst(Self.asciiCode.count)
        default: return nil
        }
        return ExifFacts.ascii(unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
    }

    func short(_ tag: ExifTag, _ ifd: ExifIfd) -> UInt16? {
        guard let entry = unsafe exif_content_get_entry(content(ifd), tag),
            unsafe entry.pointee.format == EXIF_FORMAT_SHORT, unsafe entry.pointee.size >= 2
        else { return nil }
        return unsafe exif_get_short(entry.pointee.data, exif_data_get_byte_order(data))
    }

    /// Adds the NUL terminator.
    func add(_ text: String, as tag: ExifTag, to ifd: ExifIfd = EXIF_IFD_EXIF) {
        add(bytes: Array(text.utf8) + [0], as: tag, to: ifd, format: EXIF_FORMAT_ASCII)
    }

    /// UNDEFINED text with its character code (Exif 2.3, 4.6.5, "UserComment").
    static func comment(_ text: String) -> [UInt8] { asciiCode + Array(text.utf8) }

    private static let asciiCode = Array("ASCII\0\0\0".utf8)

    func add(
        bytes: [UInt8],
        as tag: ExifTag,
        to ifd: ExifIfd = EXIF_IFD_EXIF,
        format: ExifFormat = EXIF_FORMAT_UNDEFINED
    ) {
        add(bytes, count: bytes.count, format, tag, ifd)
    }

    func add(short: UInt16, as tag: ExifTag, to ifd: ExifIfd = EXIF_IFD_EXIF) {
        add([UInt8(short & 0xFF), UInt8(short >> 8)], count: 1, EXIF_FORMAT_SHORT, tag, ifd)
    }

    func add(long: UInt32, as tag: ExifTag, to ifd: ExifIfd = EXIF_IFD_EXIF) {
        add(Self.bytes(long), count: 1, EXIF_FORMAT_LONG, tag, ifd)
    }

    /// RATIONAL.
    func add(_ fractions: [(UInt32, UInt32)], as tag: ExifTag, to ifd: ExifIfd = EXIF_IFD_EXIF) {
        let bytes = fractions.flatMap { Self.bytes($0.0) + Self.bytes($0.1) }
        add(bytes, count: fractions.count, EXIF_FORMAT_RATIONAL, tag, ifd)
    }

    /// With the identifier, `Exif` and two zeros; nil if out of memory.
    func bytes() -> [UInt8]? {
        var start: UnsafeMutablePointer<UInt8>?
        var count: UInt32 = 0
        unsafe exif_data_save_data(data, &start, &count)
        guard let start = unsafe start else { return nil }
        defer { unsafe exif_mem_free(memory, start) }
        return unsafe [UInt8](UnsafeBufferPointer(start: start, count: Int(count)))
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 0xFF) } }

    private func add(_ bytes: [UInt8], count: Int, _ format: ExifFormat, _ tag: ExifTag, _ ifd: ExifIfd) {
        guard let entry = unsafe exif_entry_new_mem(memory) else { return }
        defer { unsafe exif_entry_unref(entry) }
        guard let room = unsafe exif_mem_alloc(memory, ExifLong(bytes.count)) else { return }
        unsafe room.copyMemory(from: bytes, byteCount: bytes.count)
        // Freed by libexif with the entry.
        unsafe entry.pointee.data = room.assumingMemoryBound(to: UInt8.self)
        unsafe entry.pointee.size = UInt32(bytes.count)
        unsafe entry.pointee.tag = tag
        unsafe entry.pointee.format = format
        unsafe entry.pointee.components = UInt(count)
        unsafe exif_content_add_entry(content(ifd), entry)
    }

    private func content(_ ifd: ExifIfd) -> UnsafeMutablePointer<ExifContent>? {
        switch ifd {
        case EXIF_IFD_EXIF: unsafe data.pointee.ifd.2
        case EXIF_IFD_GPS: unsafe data.pointee.ifd.3
        default: unsafe data.pointee.ifd.0
        }
    }
}
