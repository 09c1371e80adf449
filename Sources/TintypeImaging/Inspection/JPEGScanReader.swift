// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

package enum JPEGScanFinding: Equatable, Sendable {
    /// Every block is present, followed by a marker or the end of the bytes; `end` is after the entropy-coded data.
    case whole(end: Int)
    /// Like ``whole(end:)``, but with a few surplus bytes before restart markers, or before the marker after the last
    /// block.
    case surplus([Range<Int>])
    /// Data that no encoder writes; the text gives the reason and begins in lower case.
    case damaged(String)
    /// Not read completely: stopped early, or an unsupported process (progressive, arithmetic, more than 8 bits).
    case unread
}

/// Reads every code of a baseline picture's scans without computing pixels (ITU-T T.81, Annexes B and F).
///
/// Finds what libjpeg tolerates: scans that end early or late by less than its read-ahead, blocks of more than 64
/// coefficients, and impossible coefficients. Not thread-safe; blocks.
package struct JPEGScanReader: Sendable {
    private var quantization = JPEGQuantization()
    private var tables = HuffmanTables()
    private(set) var means = BlockMeans()
    private var restartInterval = 0
    private var seen: UInt8 = 0
    private var surplus: [Range<Int>] = []

    /// Maximum number of surplus bytes before a marker that a camera may send: more is a sign of lost data.
    static let mostSurplus = 16

    /// True if the last picture's headers have nothing that libjpeg interprets specially, warns about or rejects.
    ///
    /// If such a picture is ``JPEGScanFinding/whole(end:)``, libjpeg decodes it without a warning.
    package private(set) var isPlain = false

    package init() {}

    /// Reads as little as possible; nil if damaged before that is known, or of an unsupported process.
    mutating func emptiness(of bytes: RawSpan) -> BlankCheck? {
        let finding = try? read(bytes, stopsEarly: true)
        guard isPlain else { return nil }
        switch finding {
        case .whole?, .surplus?: return means.emptiness
        case .damaged?, .unread?, nil: return means.showsSomething ? means.emptiness : nil
        }
    }

    /// Reads up to EOI, or to the last byte if there is none; throws the errors of ``JPEGWalk``.
    ///
    /// With `stopsEarly` it stops once the picture is known to be neither black nor uniform. The walk is lenient.
    package mutating func read(_ bytes: RawSpan, stopsEarly: Bool = false) throws(ImagingError) -> JPEGScanFinding {
        quantization.startPicture()
        tables.startPicture()
        means.reset()
        (restartInterval, seen, surplus, isPlain) = (0, 0, [], true)
        var walk = try JPEGWalk(bytes, isLenient: true)
        var end = 0
        while true {
            let isComplete = walk.frame.map { seen == $0.allComponents } ?? false
            if isComplete, walk.position >= bytes.byteCount { return finding(end) }
            let segment = try walk.next()
            guard let frame = walk.frame else {
                try process(segment)
                continue
            }
            switch segment.marker {
            case .endOfImage:
                return isComplete ? finding(end) : .damaged("not every component of it has a scan (SOS)")
            case .startOfScan:
                let header = try JPEGScanHeader(segment, of: frame)
                isPlain = isPlain && header.isComplete
                if let finding = scan(header, frame, &walk, stopsEarly) { return finding }
                end = walk.position
            case let marker where marker.isFrameHeader:
                guard frame.isBaseline, frame.size.area <= JPEGDecoder.largestArea else { return .unread }
                isPlain = isPlain && frame.isPlain
                means.allocate(for: frame)
            default: try process(segment)
            }
        }
    }

    /// All blocks are there.
    private func finding(_ end: Int) -> JPEGScanFinding { surplus.isEmpty ? .whole(end: end) : .surplus(surplus) }

    /// Any segment but frame and scan headers.
    private mutating func process(_ segment: JPEGSegment) throws(ImagingError) {
        switch segment.marker {
        case .quantizationTables: try quantization.read(segment)
        case .huffmanTables: try tables.read(segment)
        case .restartInterval:
            guard segment.payload.byteCount == 2 else { throw .notJPEG("its restart interval (DRI) is damaged") }
            restartInterval = segment.payload.bigEndian16(at: 0)
        default: isPlain = isPlain && segment.isPlain
        }
    }

    /// Advances to the marker after the scan; nil if all its blocks are there.
    private mutating func scan(
        _ header: JPEGScanHeader,
        _ frame: JPEGHeader,
        _ walk: inout JPEGWalk,
        _ stopsEarly: Bool
    ) -> JPEGScanFinding? {
        let bytes = walk.bytes
        let start = walk.position
        var blocks: JPEGBlockReader
        do throws(ImagingError) {
            blocks = try JPEGBlockReader(header, frame, at: start, restartInterval, &tables, quantization, means)
        } catch {
            if case .notJPEG(let why) = error { return .damaged(why) }
            return .damaged(error.description)
        }
        for selection in header.components {
            guard seen >> selection.index & 1 == 0 else { return .damaged("it has two scans of one component") }
            seen |= 1 << selection.index
        }
        if let finding = blocks.read(tables, into: &means, stopsEarly: stopsEarly, in: bytes) { return finding }
        guard let rest = blocks.bits.surplus(in: bytes) else {
            return .damaged("the bits that fill its last byte are not all the same")
        }
        walk.position = rest.upperBound
        surplus += blocks.surplus
        guard let (marker, _) = bytes.marker(at: rest.upperBound) else {
            // A picture without EOI may have padding after its last block, as one with EOI may.
            return seen == frame.allComponents ? finding(rest.lowerBound) : .damaged("it ends between two scans")
        }
        guard !marker.isRestart, rest.count <= Self.mostSurplus else {
            return .damaged("data follows its last block")
        }
        if !rest.isEmpty { surplus.append(rest) }
        return nil
    }
}

// Headers of a baseline picture that libjpeg warns about or rejects, or that select other colours than Y'CbCr
// (libjpeg-turbo 2.1.5: jdmarker.c, jdapimin.c, jdinput.c; turbojpeg.c for the sampling). Such pictures are left to
// libjpeg.

extension JPEGSegment {
    /// True if libjpeg skips the segment or interprets it as every decoder does; not for tables, frame or scan headers.
    fileprivate var isPlain: Bool {
        switch marker {
        case .application0:
            // JFIF with a major version other than 1 is not plain.
            payload.byteCount < 14 || !begins(with: "JFIF\0") || payload.byte(at: 5) == 1
        case .application14:
            // Adobe colours other than Y'CbCr are not plain.
            payload.byteCount < 12 || !begins(with: "Adobe") || payload.byte(at: 11) == 1
        default: marker.isPassedOver || marker.standsAlone
        }
    }
}

extension JPEGHeader {
    /// One bit per component.
    fileprivate var allComponents: UInt8 { UInt8(1 << componentCount - 1) }

    /// True if libturbojpeg takes it as grey or Y'CbCr with a sampling it supports.
    fileprivate var isPlain: Bool {
        guard let sampling, max(size.width, size.height) <= JPEGEncoder.longestSide else { return false }
        guard sampling != .grey else { return true }
        let names = components.map(\.id)
        // libturbojpeg accepts alternative factors for the same sampling only for 4:2:2 and 4:4:0.
        let isNamed = components[1].blocks == 1 || components[0].blocks == 4
        return isNamed && Set(names).count == names.count && names != Array("RGB".utf8)
    }
}
