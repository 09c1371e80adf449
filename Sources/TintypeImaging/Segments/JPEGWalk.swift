// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Iterates over the markers of a JPEG picture; every reader of segments uses it.
///
/// Never reads out of bounds. Enforces the order that all readers rely on: SOI first, then exactly one frame header
/// before scans and EOI (ITU-T T.81, B.2.1).
///
/// A lenient walk, for a camera's buffer, accepts what does not concern the pixels, as libjpeg does: bytes before SOI,
/// bytes between segments before the first scan, and APP and COM segments of a wrong length. It goes on at the next
/// marker. A part of the headers may be lost as well then, so the codes of such a picture must be read.
struct JPEGWalk: ~Escapable {
    let bytes: RawSpan
    var position: Int
    /// Frame header (SOF), once passed.
    private(set) var frame: JPEGHeader?
    /// Ranges of bytes that belong to no segment, in order; empty unless the walk is lenient.
    private(set) var strays: [Range<Int>] = []
    /// Limit of ``strays``, each of which may take a search up to the scan; real pictures have some ten segments.
    static let mostStrays = 32
    private let isLenient: Bool
    private var hasScan = false

    /// Starts after SOI.
    @_lifetime(copy bytes)
    init(_ bytes: RawSpan, isLenient: Bool = false) throws(ImagingError) {
        guard bytes.byteCount > 0 else { throw .notJPEG("it is empty") }
        guard bytes.byteCount >= 2 else { throw .truncated }
        let start = isLenient ? bytes.offset(ofMarkerFrom: 0) { $0 == .startOfImage } ?? 0 : 0
        guard bytes.byte(at: start) == 0xFF, bytes.byte(at: start + 1) == JPEGMarker.startOfImage.rawValue else {
            throw .notJPEG("it does not begin with SOI (FF D8)")
        }
        self.bytes = bytes
        self.isLenient = isLenient
        position = start + 2
        if start > 0 { strays.append(0..<start) }
    }

    /// Throws ``ImagingError/notJPEG(_:)`` or ``ImagingError/truncated``.
    @discardableResult
    @_lifetime(copy self)
    mutating func next() throws(ImagingError) -> JPEGSegment {
        while isLenient, !hasScan, strays.count < Self.mostStrays, let end = endOfStrays {
            strays.append(position..<end)
            position = end
        }
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
            hasScan = true
        case let marker where marker.isFrameHeader:
            guard frame == nil else { throw .notJPEG("it has two frame headers (SOF)") }
            frame = try JPEGHeader(segment)
        default: break
        }
    }

    /// End of the bytes at ``position`` that belong to no segment; nil if a segment begins there, or none follows.
    ///
    /// A skipped segment belongs to none itself if others begin within its length: that is too large.
    private var endOfStrays: Int? {
        guard let (marker, start) = bytes.marker(at: position), marker.isOfHeaders else {
            return bytes.offset(ofMarkerFrom: position, where: \.isOfHeaders)
        }
        guard marker.isPassedOver, start + 2 <= bytes.byteCount else { return nil }
        let length = bytes.bigEndian16(at: start)
        if length >= 2, let (next, _) = bytes.marker(at: start + length), next.isOfHeaders { return nil }
        // A picture of its own inside the segment, such as the thumbnail of EXIF data, has the same markers.
        guard let inner = bytes.offset(ofMarkerFrom: start + 2, where: { $0.isOfHeaders || $0 == .startOfImage }),
            length < 2 || inner < start + length, leadsToScan(from: inner)
        else { return nil }
        return inner
    }

    /// True if the segments from `place` on lead from marker to marker to a scan header.
    private func leadsToScan(from place: Int) -> Bool {
        var place = place
        while let (marker, start) = bytes.marker(at: place), marker.isOfHeaders, marker != .endOfImage,
            start + 2 <= bytes.byteCount
        {
            guard marker != .startOfScan else { return true }
            place = start + max(2, bytes.bigEndian16(at: start))
        }
        return false
    }

    /// Advances to the marker that ends the entropy-coded data; returns false without advancing if there is none.
    mutating func skipEntropyCodedData() -> Bool {
        guard let end = bytes.offset(ofMarkerFrom: position, where: { !$0.isInsideData }) else { return false }
        position = end
        return true
    }
}

extension RawSpan {
    /// Traps if out of bounds.
    func byte(at offset: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

    /// Traps if out of bounds.
    func bigEndian16(at offset: Int) -> Int { Int(byte(at: offset)) << 8 | Int(byte(at: offset + 1)) }

    /// Offset of the first marker from `start` on that fits, after any fill bytes; nil if there is none.
    @inline(__always) func offset(ofMarkerFrom start: Int, where fits: (JPEGMarker) -> Bool) -> Int? {
        unsafe withUnsafeBytes { buffer -> Int? in
            guard let base = buffer.baseAddress else { return nil }
            var place = start
            while place < buffer.count - 1 {
                // memchr scans for FF 16 or 32 bytes at a time.
                guard let hit = unsafe memchr(base + place, 0xFF, buffer.count - 1 - place) else { return nil }
                place = unsafe UnsafeRawPointer(hit) - base
                let second = unsafe buffer[place + 1]
                if second == 0xFF {
                    place += 1
                } else if fits(JPEGMarker(rawValue: second)) {
                    return place
                } else {
                    place += 2
                }
            }
            return nil
        }
    }

    /// Skips fill bytes (FF); `end` is the offset after the marker.
    func marker(at offset: Int) -> (marker: JPEGMarker, end: Int)? {
        var place = offset
        while place < byteCount, byte(at: place) == 0xFF { place += 1 }
        guard place > offset, place < byteCount else { return nil }
        return (JPEGMarker(rawValue: byte(at: place)), place + 1)
    }
}

extension [UInt8] {
    /// Safe: every bit pattern is a valid byte.
    package var rawSpan: RawSpan {
        @_lifetime(borrow self) get { unsafe span.bytes }
    }

    package mutating func append(_ bytes: RawSpan) { unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) } }
}

/// Second byte of a JPEG marker (ITU-T T.81, table B.1).
struct JPEGMarker: RawRepresentable, Hashable {
    let rawValue: UInt8

    static let startOfImage = JPEGMarker(rawValue: 0xD8)  // SOI
    static let endOfImage = JPEGMarker(rawValue: 0xD9)  // EOI
    static let startOfScan = JPEGMarker(rawValue: 0xDA)  // SOS
    static let huffmanTables = JPEGMarker(rawValue: 0xC4)  // DHT
    static let quantizationTables = JPEGMarker(rawValue: 0xDB)  // DQT
    static let restartInterval = JPEGMarker(rawValue: 0xDD)  // DRI
    static let application0 = JPEGMarker(rawValue: 0xE0)  // APP0, used by JFIF
    static let application1 = JPEGMarker(rawValue: 0xE1)  // APP1, used by EXIF
    static let application14 = JPEGMarker(rawValue: 0xEE)  // APP14, used by Adobe for the colour transform

    /// SOF0 to SOF15, without DHT, JPG and DAC.
    var isFrameHeader: Bool { (0xC0...0xCF).contains(rawValue) && ![0xC4, 0xC8, 0xCC].contains(rawValue) }
    /// Markers without a length: RST0 to RST7, TEM and EOI.
    var standsAlone: Bool { isRestart || rawValue == 0x01 || self == .endOfImage }
    /// RST0 to RST7, which occur in entropy-coded data.
    var isRestart: Bool { (0xD0...0xD7).contains(rawValue) }
    /// Markers inside entropy-coded data: RST, or the zero after a data byte FF.
    var isInsideData: Bool { rawValue == 0 || isRestart }
    /// Markers that may follow a segment of the headers: SOF, tables, SOS, EOI, APP and COM.
    var isOfHeaders: Bool { (0xC0...0xFE).contains(rawValue) && !isRestart && self != .startOfImage }
    /// Segments that decoders skip: APP0 to APP15 and COM.
    var isPassedOver: Bool { (0xE0...0xEF).contains(rawValue) || rawValue == 0xFE }
}

struct JPEGSegment: ~Escapable {
    let marker: JPEGMarker
    /// Offset of the marker, after any fill bytes.
    let offset: Int
    /// Bytes after the length; empty for markers without one.
    let payload: RawSpan

    @_lifetime(copy payload)
    init(_ marker: JPEGMarker, at offset: Int, _ payload: RawSpan) {
        (self.marker, self.offset) = (marker, offset)
        self.payload = payload
    }

    func begins(with identifier: StaticString) -> Bool {
        guard payload.byteCount >= identifier.utf8CodeUnitCount else { return false }
        return identifier.withUTF8Buffer { identifier in
            identifier.indices.allSatisfy { unsafe payload.byte(at: $0) == identifier[$0] }
        }
    }
}
