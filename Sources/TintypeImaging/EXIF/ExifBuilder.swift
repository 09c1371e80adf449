// SPDX-License-Identifier: Apache-2.0
internal import CExif
internal import Glibc

/// Makes the bytes of EXIF data, entry by entry, by libexif.
///
/// Only one thread at a time; a picture's data takes some 40 small allocations.
@safe struct ExifBuilder: ~Copyable {
    private static let order = EXIF_BYTE_ORDER_INTEL

    private let data: UnsafeMutablePointer<ExifData>
    private let memory: OpaquePointer

    /// Data without entries; nil when there is no memory for it.
    init?() {
        guard let memory = unsafe exif_mem_new_default() else { return nil }
        guard let data = unsafe exif_data_new_mem(memory) else {
            unsafe exif_mem_unref(memory)
            return nil
        }
        unsafe self.data = unsafe data
        unsafe self.memory = unsafe memory
        unsafe exif_data_set_byte_order(data, Self.order)
    }

    deinit {
        unsafe exif_data_unref(data)
        unsafe exif_mem_unref(memory)
    }

    /// Adds a text with its terminator.
    func add(_ text: String, as tag: ExifTag, to ifd: ExifIfd) {
        let bytes = Array(text.utf8) + [0]
        add(bytes, count: bytes.count, EXIF_FORMAT_ASCII, tag, ifd)
    }

    /// A text in ASCII where the type does not say so: with its character code (Exif 2.3, 4.6.5, "UserComment").
    static func comment(_ text: String) -> [UInt8] { Array("ASCII\0\0\0".utf8) + Array(text.utf8) }

    /// Adds bytes that EXIF does not describe any closer.
    func add(bytes: [UInt8], as tag: ExifTag, to ifd: ExifIfd, format: ExifFormat = EXIF_FORMAT_UNDEFINED) {
        add(bytes, count: bytes.count, format, tag, ifd)
    }

    /// Adds a number of 16 bits.
    func add(short: UInt16, as tag: ExifTag, to ifd: ExifIfd) {
        add([UInt8(short & 0xFF), UInt8(short >> 8)], count: 1, EXIF_FORMAT_SHORT, tag, ifd)
    }

    /// Adds a number of 32 bits.
    func add(long: UInt32, as tag: ExifTag, to ifd: ExifIfd) {
        add(Self.bytes(long), count: 1, EXIF_FORMAT_LONG, tag, ifd)
    }

    /// Adds fractions.
    func add(_ fractions: [ExifFraction], as tag: ExifTag, to ifd: ExifIfd) {
        let bytes = fractions.flatMap { Self.bytes($0.numerator) + Self.bytes($0.denominator) }
        add(bytes, count: fractions.count, EXIF_FORMAT_RATIONAL, tag, ifd)
    }

    /// The data with its identifier, `Exif` and two zeros; nil when there is no memory for it.
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
        unsafe bytes.withUnsafeBytes { source in
            if let start = source.baseAddress { unsafe memcpy(room, start, source.count) }
        }
        // The entry frees it.
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

/// A fraction as EXIF has it (RATIONAL).
struct ExifFraction: Equatable {
    let numerator: UInt32
    let denominator: UInt32

    /// `numerator` over `denominator` in lowest terms.
    init(_ numerator: UInt32, _ denominator: UInt32) {
        var (a, b) = (max(1, numerator), denominator)
        while b != 0 { (a, b) = (b, a % b) }
        self.numerator = numerator / a
        self.denominator = denominator / a
    }
}
