// SPDX-License-Identifier: Apache-2.0

/// The second byte of a JPEG marker (ITU-T T.81, table B.1).
struct JPEGMarker: RawRepresentable, Hashable {
    let rawValue: UInt8

    /// SOI.
    static let startOfImage = JPEGMarker(rawValue: 0xD8)
    /// EOI.
    static let endOfImage = JPEGMarker(rawValue: 0xD9)
    /// SOS.
    static let startOfScan = JPEGMarker(rawValue: 0xDA)
    /// DHT.
    static let huffmanTables = JPEGMarker(rawValue: 0xC4)
    /// DQT.
    static let quantizationTables = JPEGMarker(rawValue: 0xDB)
    /// DRI.
    static let restartInterval = JPEGMarker(rawValue: 0xDD)
    /// APP0, where JFIF stands.
    static let application0 = JPEGMarker(rawValue: 0xE0)
    /// APP1, where EXIF data stands.
    static let application1 = JPEGMarker(rawValue: 0xE1)
    /// APP14, where Adobe's programs say how colours are coded.
    static let application14 = JPEGMarker(rawValue: 0xEE)

    /// Whether it is one of SOF0 to SOF15; DHT, JPG and DAC lie between them.
    var isFrameHeader: Bool { (0xC0...0xCF).contains(rawValue) && ![0xC4, 0xC8, 0xCC].contains(rawValue) }
    /// Whether no length follows: RST0 to RST7, TEM and EOI.
    var standsAlone: Bool { isRestart || rawValue == 0x01 || self == .endOfImage }
    /// Whether it is one of RST0 to RST7, which may stand in entropy-coded data.
    var isRestart: Bool { (0xD0...0xD7).contains(rawValue) }
    /// Whether it stands in entropy-coded data and does not end it: RST, or the zero behind an FF that is data.
    var isInsideData: Bool { rawValue == 0 || isRestart }
    /// Whether decoders pass over its segment: APP0 to APP15 and COM.
    var isPassedOver: Bool { (0xE0...0xEF).contains(rawValue) || rawValue == 0xFE }
}

/// One marker of a JPEG picture with what belongs to it.
struct JPEGSegment: ~Escapable {
    let marker: JPEGMarker
    /// Where the marker begins, its fill bytes aside.
    let offset: Int
    /// The bytes after the length; none where there is no length.
    let payload: RawSpan

    @_lifetime(copy payload)
    init(_ marker: JPEGMarker, at offset: Int, _ payload: RawSpan) {
        (self.marker, self.offset) = (marker, offset)
        self.payload = payload
    }

    /// Whether the payload begins with these ASCII characters.
    func begins(with identifier: StaticString) -> Bool {
        guard payload.byteCount >= identifier.utf8CodeUnitCount else { return false }
        return identifier.withUTF8Buffer { identifier in
            identifier.indices.allSatisfy { unsafe payload.byte(at: $0) == identifier[$0] }
        }
    }
}
