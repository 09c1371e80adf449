// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The one walk over a JPEG picture, from marker to marker: every reader of segments uses it.
///
/// It never leaves the bytes, and allocates nothing but the components of the frame header. It sees to the order that all
/// readers rely on: SOI first, one frame header, and that before scans and EOI (ITU-T T.81, B.2.1).
struct JPEGWalk: ~Escapable {
    let bytes: RawSpan
    /// The first byte that was not walked over yet.
    var position = 2
    /// What the frame header (SOF) says, once the walk is behind it.
    private(set) var frame: JPEGHeader?

    /// A walk that begins after SOI.
    @_lifetime(copy bytes)
    init(_ bytes: RawSpan) throws(ImagingError) {
        guard bytes.byteCount > 0 else { throw .notJPEG("it is empty") }
        guard bytes.byteCount >= 2 else { throw .truncated }
        guard bytes.byte(at: 0) == 0xFF, bytes.byte(at: 1) == JPEGMarker.startOfImage.rawValue else {
            throw .notJPEG("it does not begin with SOI (FF D8)")
        }
        self.bytes = bytes
    }

    /// The next marker with its segment; leaves the position behind it.
    ///
    /// - Throws: ``ImagingError/notJPEG(_:)`` or ``ImagingError/truncated``.
    @discardableResult
    @_lifetime(copy self)
    mutating func next() throws(ImagingError) -> JPEGSegment {
        guard position < bytes.byteCount else { throw .truncated }
        guard bytes.byte(at: position) == 0xFF else {
            throw .notJPEG("there is no marker at byte \(position), where one must be")
        }
        guard let (marker, start) = bytes.marker(at: position) else { throw .truncated }
        let offset = start - 2
        position = start
        if !marker.standsAlone {
            guard marker != .startOfImage, marker.rawValue >= 0xC0 else {
                throw .notJPEG("byte \(offset) holds a marker that cannot be there")
            }
            guard start + 2 <= bytes.byteCount else { throw .truncated }
            let length = bytes.bigEndian16(at: start)
            guard length >= 2 else {
                throw .notJPEG("the segment at byte \(offset) says that it is \(length) bytes long")
            }
            guard start + length <= bytes.byteCount else { throw .truncated }
            position += length
        }
        let segment = JPEGSegment(marker, at: offset, bytes.extracting(min(start + 2, position)..<position))
        try checkOrder(of: segment)
        return segment
    }

    private mutating func checkOrder(of segment: JPEGSegment) throws(ImagingError) {
        switch segment.marker {
        case .endOfImage: guard frame != nil else { throw .notJPEG("it has no frame header (SOF)") }
        case .startOfScan:
            guard frame != nil else { throw .notJPEG("its scan (SOS) comes before the frame header (SOF)") }
        case let marker where marker.isFrameHeader:
            guard frame == nil else { throw .notJPEG("it has two frame headers (SOF)") }
            frame = try JPEGHeader(segment)
        default: break
        }
    }

    /// Goes on to the marker that ends the entropy-coded data; false where there is none, and then it stays where it is.
    mutating func skipEntropyCodedData() -> Bool {
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
                } else if JPEGMarker(rawValue: second).isInsideData {
                    place += 2
                } else {
                    return place
                }
            }
            return nil
        }
        position = found ?? position
        return found != nil
    }

    /// Whether a marker comes next that ends entropy-coded data, or nothing at all.
    var isBehindData: Bool {
        guard position < bytes.byteCount else { return true }
        return bytes.marker(at: position).map { !$0.marker.isInsideData } ?? false
    }
}

extension RawSpan {
    /// The byte at an offset that must lie inside; outside it traps.
    func byte(at offset: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

    /// The big-endian 16-bit number at an offset that must lie inside.
    func bigEndian16(at offset: Int) -> Int { Int(byte(at: offset)) << 8 | Int(byte(at: offset + 1)) }

    /// The marker that begins at an offset, and the first byte behind it; nil where none does.
    ///
    /// Any number of FF may come before its second byte.
    func marker(at offset: Int) -> (marker: JPEGMarker, end: Int)? {
        var place = offset
        while place < byteCount, byte(at: place) == 0xFF { place += 1 }
        guard place > offset, place < byteCount else { return nil }
        return (JPEGMarker(rawValue: byte(at: place)), place + 1)
    }
}

extension [UInt8] {
    /// The bytes as a span, which is safe: a byte may have any value.
    package var rawSpan: RawSpan {
        @_lifetime(borrow self) get { unsafe span.bytes }
    }

    /// Adds the bytes of a span.
    package mutating func append(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
    }
}
