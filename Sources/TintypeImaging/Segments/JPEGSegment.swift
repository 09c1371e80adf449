// SPDX-License-Identifier: Apache-2.0

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
