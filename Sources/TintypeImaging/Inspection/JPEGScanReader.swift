// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Reads every code of a baseline picture's scans without making pixels of them, and counts the blocks.
///
/// It sees what libjpeg is lenient with: a scan that ends early or late by less than libjpeg reads ahead, blocks of more
/// than 64 coefficients, and numbers that no picture has. What is lost of a scan shifts all that follows, so that the
/// number of blocks does not fit any more. Nothing outside the bytes is read. Source: ITU-T T.81, Annexes B and F.
///
/// One is kept from picture to picture, with its tables and the means of the last picture's blocks. One thread at a time
/// uses it; it blocks for as long as a picture takes.
package struct JPEGScanReader: Sendable {
    private var quantization = JPEGQuantization()
    private var tables = HuffmanTables()
    private(set) var means = BlockMeans()
    private var restartInterval = 0
    private var seen: UInt8 = 0

    /// Whether the last picture's headers say nothing that libjpeg takes in a way of its own, warns of or refuses.
    ///
    /// What is ``JPEGScanFinding/whole(end:)`` of such a picture, libjpeg decodes without a warning.
    package private(set) var isPlain = false

    /// A reader that has read nothing yet.
    package init() {}

    /// Reads a picture from SOI to EOI, or to its last byte where there is no EOI.
    ///
    /// - Throws: as the walk over its segments does.
    package mutating func read(_ bytes: RawSpan) throws(ImagingError) -> JPEGScanFinding {
        try read(bytes, stopsEarly: false)
    }

    /// Whether a picture shows anything, read only as far as it takes to tell; nil of one that is damaged before that, or
    /// that is not read here.
    mutating func emptiness(of bytes: RawSpan) -> Emptiness? {
        let finding = try? read(bytes, stopsEarly: true)
        guard isPlain else { return nil }
        if means.showsSomething { return Emptiness(isBlack: false, isUniform: false) }
        guard case .whole = finding else { return nil }
        return means.emptiness
    }

    private mutating func read(_ bytes: RawSpan, stopsEarly: Bool) throws(ImagingError) -> JPEGScanFinding {
        quantization.begin()
        tables.begin()
        means.reset()
        (restartInterval, seen, isPlain) = (0, 0, true)
        var walk = try JPEGMarkerWalk(bytes)
        var frame: JPEGHeader?
        var end = 0
        while true {
            if let frame, seen == frame.allComponents, walk.position >= bytes.byteCount { return .whole(end: end) }
            let segment = try walk.next(in: bytes)
            switch segment.marker {
            case .endOfImage:
                guard let frame, seen == frame.allComponents else {
                    return .damaged("not every component of it has a scan (SOS)")
                }
                return .whole(end: end)
            case .quantizationTables: try quantization.read(segment, in: bytes)
            case .huffmanTables: try tables.read(segment, in: bytes)
            case .restartInterval:
                guard segment.body.count == 2 else { throw .notJPEG("its restart interval (DRI) is damaged") }
                restartInterval = bytes.bigEndian16(at: segment.body.lowerBound)
            case .startOfScan:
                guard let frame else { throw .notJPEG("its scan (SOS) comes before the frame header (SOF)") }
                let header = try JPEGScanHeader(segment, in: bytes, frame: frame)
                isPlain = isPlain && header.isComplete
                if let finding = scan(header, frame, &walk, stopsEarly, in: bytes) { return finding }
                end = walk.position
            case let marker where marker.isFrameHeader:
                guard frame == nil else { throw .notJPEG("it has two frame headers (SOF)") }
                let header = try JPEGHeader(segment, in: bytes)
                let precision = bytes.byte(at: segment.body.lowerBound)
                guard marker.rawValue <= 0xC1, precision == 8, header.size.area <= JPEGDecoder.largestArea else {
                    return .unread
                }
                frame = header
                isPlain = isPlain && header.isPlain
                means.begin(header)
            default: isPlain = isPlain && segment.isPlain(in: bytes)
            }
        }
    }

    /// Reads one scan and goes on to the marker behind it; nil where nothing is wrong with it.
    private mutating func scan(
        _ header: JPEGScanHeader,
        _ frame: JPEGHeader,
        _ walk: inout JPEGMarkerWalk,
        _ stopsEarly: Bool,
        in bytes: RawSpan
    ) -> JPEGScanFinding? {
        var blocks: JPEGBlockReader
        do throws(ImagingError) {
            blocks = try JPEGBlockReader(
                header,
                at: walk.position,
                of: frame,
                restartInterval: restartInterval,
                &tables,
                quantization,
                means
            )
        } catch {
            return .damaged(error.reason)
        }
        for selection in header.components {
            guard seen >> selection.index & 1 == 0 else { return .damaged("it has two scans of one component") }
            seen |= 1 << selection.index
        }
        if let finding = blocks.read(tables, into: &means, stopsEarly: stopsEarly, in: bytes) { return finding }
        let isAtEnd = blocks.bits.isAtEnd(in: bytes)
        walk.position = blocks.bits.position
        if walk.isAtMarker(in: bytes), blocks.bits.available < 8 {
            return isAtEnd ? nil : .damaged("the bits that fill its last byte are not all the same")
        }
        // What is left are whole bytes that were read ahead, and those up to the next marker.
        let end = blocks.bits.firstUnusedByte(in: bytes)
        do throws(ImagingError) {
            try walk.skipEntropyCodedData(in: bytes)
            return .surplus(bytes: walk.position - end)
        } catch {
            // Behind the last block of a picture without EOI there may be padding, as behind an EOI.
            return seen == frame.allComponents ? .whole(end: end) : .damaged("it ends between two scans")
        }
    }
}

extension JPEGHeader {
    /// A bit for each component.
    fileprivate var allComponents: UInt8 { UInt8(1 << componentCount - 1) }
}

extension JPEGMarkerWalk {
    /// Whether a marker comes next, or nothing at all; RST and a stuffed zero are none.
    fileprivate func isAtMarker(in bytes: RawSpan) -> Bool {
        guard position < bytes.byteCount else { return true }
        guard bytes.byte(at: position) == 0xFF else { return false }
        var place = position
        while place < bytes.byteCount, bytes.byte(at: place) == 0xFF { place += 1 }
        guard place < bytes.byteCount else { return false }
        let marker = JPEGMarker(rawValue: bytes.byte(at: place))
        return marker.rawValue != 0 && !marker.isRestart
    }
}

extension ImagingError {
    /// The part of the sentence that says why.
    fileprivate var reason: String {
        if case .notJPEG(let why) = self { return why }
        return description
    }
}
