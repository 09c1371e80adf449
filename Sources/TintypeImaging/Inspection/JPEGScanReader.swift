// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// What reading all codes of a picture's scans has shown.
package enum JPEGScanFinding: Equatable, Sendable {
    /// Every block of the picture is there, and behind the last one a marker or nothing comes.
    ///
    /// `end` is the first byte behind the entropy-coded data.
    case whole(end: Int)
    /// Every block is there, and then come bytes that belong to nothing, up to the next marker.
    case surplus(bytes: Int)
    /// Something cannot be what an encoder wrote; the text says what, beginning with a small letter.
    case damaged(String)
    /// It is of a process that we do not read: progressive, arithmetic, or with more than 8 bits.
    case unread
}

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

    /// Whether a picture shows anything, read only as far as it takes to tell; nil of one that is damaged before that, or
    /// that is not read here.
    mutating func emptiness(of bytes: RawSpan) -> Emptiness? {
        let finding = try? read(bytes, stopsEarly: true)
        guard isPlain else { return nil }
        if means.showsSomething { return Emptiness(isBlack: false, isUniform: false) }
        guard case .whole = finding else { return nil }
        return means.emptiness
    }

    /// Reads a picture from SOI to EOI, or to its last byte where there is no EOI.
    ///
    /// - Parameters:
    ///   - bytes: the picture.
    ///   - stopsEarly: whether to leave the rest unread once it is certain that the picture shows something.
    /// - Returns: what it has shown.
    /// - Throws: as the walk over its segments does.
    package mutating func read(_ bytes: RawSpan, stopsEarly: Bool = false) throws(ImagingError) -> JPEGScanFinding {
        quantization.begin()
        tables.begin()
        means.reset()
        (restartInterval, seen, isPlain) = (0, 0, true)
        var walk = try JPEGWalk(bytes)
        var end = 0
        while true {
            let isComplete = walk.frame.map { seen == $0.allComponents } ?? false
            if isComplete, walk.position >= bytes.byteCount { return .whole(end: end) }
            let segment = try walk.next()
            guard let frame = walk.frame else {
                try take(segment)
                continue
            }
            switch segment.marker {
            case .endOfImage:
                return isComplete ? .whole(end: end) : .damaged("not every component of it has a scan (SOS)")
            case .startOfScan:
                let header = try JPEGScanHeader(segment, of: frame)
                isPlain = isPlain && header.isComplete
                if let finding = scan(header, frame, &walk, stopsEarly) { return finding }
                end = walk.position
            case let marker where marker.isFrameHeader:
                guard frame.isBaseline, frame.size.area <= JPEGDecoder.largestArea else { return .unread }
                isPlain = isPlain && frame.isPlain
                means.begin(frame)
            default: try take(segment)
            }
        }
    }

    /// Takes up a segment that is no header of a frame or a scan.
    private mutating func take(_ segment: JPEGSegment) throws(ImagingError) {
        switch segment.marker {
        case .quantizationTables: try quantization.read(segment)
        case .huffmanTables: try tables.read(segment)
        case .restartInterval:
            guard segment.payload.byteCount == 2 else { throw .notJPEG("its restart interval (DRI) is damaged") }
            restartInterval = segment.payload.bigEndian16(at: 0)
        default: isPlain = isPlain && segment.isPlain
        }
    }

    /// Reads one scan and goes on to the marker behind it; nil where nothing is wrong with it.
    private mutating func scan(
        _ header: JPEGScanHeader,
        _ frame: JPEGHeader,
        _ walk: inout JPEGWalk,
        _ stopsEarly: Bool
    ) -> JPEGScanFinding? {
        let bytes = walk.bytes
        var blocks: JPEGBlockReader
        do throws(ImagingError) {
            blocks = try JPEGBlockReader(
                header,
                frame,
                at: walk.position,
                restartInterval: restartInterval,
                &tables,
                quantization,
                means
            )
        } catch {
            if case .notJPEG(let why) = error { return .damaged(why) }
            return .damaged(error.description)
        }
        for selection in header.components {
            guard seen >> selection.index & 1 == 0 else { return .damaged("it has two scans of one component") }
            seen |= 1 << selection.index
        }
        if let finding = blocks.read(tables, into: &means, stopsEarly: stopsEarly, in: bytes) { return finding }
        let isAtEnd = blocks.bits.isAtEnd(in: bytes)
        walk.position = blocks.bits.position
        if walk.isBehindData, blocks.bits.available < 8 {
            return isAtEnd ? nil : .damaged("the bits that fill its last byte are not all the same")
        }
        // What is left are whole bytes that were read ahead, and those up to the next marker.
        let end = blocks.bits.firstUnusedByte(in: bytes)
        if walk.skipEntropyCodedData() { return .surplus(bytes: walk.position - end) }
        // Behind the last block of a picture without EOI there may be padding, as behind an EOI.
        return seen == frame.allComponents ? .whole(end: end) : .damaged("it ends between two scans")
    }
}

extension JPEGHeader {
    /// A bit for each component.
    fileprivate var allComponents: UInt8 { UInt8(1 << componentCount - 1) }
}

// What libjpeg warns of or refuses in the headers of a baseline picture, and what it takes for other colours than Y'CbCr
// (libjpeg-turbo 2.1.5: jdmarker.c, jdapimin.c, jdinput.c; for the sampling turbojpeg.c). Pictures that have any of it are
// left to its own judgment.

extension JPEGSegment {
    /// Whether libjpeg passes over the segment, or reads it as every program does; of one that is no table and no header
    /// of a frame or a scan.
    fileprivate var isPlain: Bool {
        switch marker {
        case .application0:
            // JFIF of another major version than 1.
            payload.byteCount < 14 || !begins(with: "JFIF\0") || payload.byte(at: 5) == 1
        case .application14:
            // Colours of another kind than Y'CbCr.
            payload.byteCount < 12 || !begins(with: "Adobe") || payload.byte(at: 11) == 1
        default: marker.isPassedOver || marker.standsAlone
        }
    }
}

extension JPEGHeader {
    /// Whether libturbojpeg takes it for a grey or Y'CbCr picture whose sampling it knows.
    fileprivate var isPlain: Bool {
        guard let sampling, max(size.width, size.height) <= JPEGEncoder.longestSide else { return false }
        guard sampling != .grey else { return true }
        let names = components.map(\.id)
        // It knows other factors for the same sampling only of 4:2:2 and 4:4:0.
        let isNamed = components[1].blocks == 1 || components[0].blocks == 4
        return isNamed && Set(names).count == names.count && names != Array("RGB".utf8)
    }
}
