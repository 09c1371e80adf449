// SPDX-License-Identifier: Apache-2.0

/// The second byte of a JPEG marker (ITU-T T.81, table B.1).
struct JPEGMarker: RawRepresentable, Equatable {
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

    /// Whether it is one of SOF0 to SOF15; DHT, JPG and DAC lie between them.
    var isFrameHeader: Bool { (0xC0...0xCF).contains(rawValue) && ![0xC4, 0xC8, 0xCC].contains(rawValue) }
    /// Whether it is the frame header of an arithmetic coding process.
    var isArithmetic: Bool { isFrameHeader && rawValue > 0xC8 }
    /// Whether no length follows: RST0 to RST7 and TEM.
    var standsAlone: Bool { isRestart || rawValue == 0x01 }
    /// Whether it is one of RST0 to RST7, which may stand in entropy-coded data.
    var isRestart: Bool { (0xD0...0xD7).contains(rawValue) }
}

/// One marker with what belongs to it.
struct JPEGSegment {
    let marker: JPEGMarker
    /// Where the marker begins, its fill bytes aside.
    let offset: Int
    /// The bytes after the length; empty where there is none.
    let body: Range<Int>
}
