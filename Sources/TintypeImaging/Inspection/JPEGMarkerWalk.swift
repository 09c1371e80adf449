// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A position in a JPEG picture that goes from marker to marker and never leaves the span.
struct JPEGMarkerWalk {
    /// The first byte that was not walked over yet.
    var position: Int

    /// A walk that begins after SOI.
    init(_ bytes: RawSpan) throws(ImagingError) {
        guard bytes.byteCount > 0 else { throw .notJPEG("it is empty") }
        guard bytes.byteCount >= 2 else { throw .truncated }
        guard bytes.byte(at: 0) == 0xFF, bytes.byte(at: 1) == JPEGMarker.startOfImage.rawValue else {
            throw .notJPEG("it does not begin with SOI (FF D8)")
        }
        position = 2
    }

    /// The next marker with its segment; leaves the position behind it.
    mutating func next(in bytes: RawSpan) throws(ImagingError) -> JPEGSegment {
        guard position < bytes.byteCount else { throw .truncated }
        guard bytes.byte(at: position) == 0xFF else {
            throw .notJPEG("there is no marker at byte \(position), where one must be")
        }
        // Any number of FF may come before the marker's second byte.
        while position < bytes.byteCount, bytes.byte(at: position) == 0xFF { position += 1 }
        guard position < bytes.byteCount else { throw .truncated }
        let marker = JPEGMarker(rawValue: bytes.byte(at: position))
        let offset = position - 1
        position += 1
        if marker == .endOfImage || marker.standsAlone {
            return JPEGSegment(marker: marker, offset: offset, body: position..<position)
        }
        guard marker != .startOfImage, marker.rawValue >= 0xC0 else {
            throw .notJPEG("byte \(offset) holds a marker that cannot be there")
        }
        guard position + 2 <= bytes.byteCount else { throw .truncated }
        let length = bytes.bigEndian16(at: position)
        guard length >= 2 else { throw .notJPEG("the segment at byte \(offset) says that it is \(length) bytes long") }
        guard position + length <= bytes.byteCount else { throw .truncated }
        let body = position + 2..<position + length
        position += length
        return JPEGSegment(marker: marker, offset: offset, body: body)
    }

    /// Goes on to the marker that ends the entropy-coded data: neither a stuffed zero nor RST.
    mutating func skipEntropyCodedData(in bytes: RawSpan) throws(ImagingError) {
        let start = position
        let found = unsafe bytes.withUnsafeBytes { buffer -> Int? in
            guard let base = buffer.baseAddress else { return nil }
            var place = start
            while place < buffer.count - 1 {
                // One call of memchr for each FF: the data between is looked through 16 or 32 bytes at a time.
                guard let hit = unsafe memchr(base + place, 0xFF, buffer.count - 1 - place) else { return nil }
                place = unsafe UnsafeRawPointer(hit) - base
                let second = unsafe buffer[place + 1]
                if second == 0xFF {
                    place += 1
                } else if second == 0 || JPEGMarker(rawValue: second).isRestart {
                    place += 2
                } else {
                    return place
                }
            }
            return nil
        }
        guard let found else { throw .truncated }
        position = found
    }
}

extension RawSpan {
    /// The byte at an offset that must lie inside; outside it traps.
    func byte(at offset: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

    /// The big-endian 16-bit number at an offset that must lie inside.
    func bigEndian16(at offset: Int) -> Int { Int(byte(at: offset)) << 8 | Int(byte(at: offset + 1)) }
}
