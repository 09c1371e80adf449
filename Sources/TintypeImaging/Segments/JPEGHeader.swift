// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Frame header of a JPEG picture, read without decoding (ITU-T T.81, B.2.2).
package struct JPEGHeader: Hashable, Sendable {
    package let size: FrameSize
    let process: JPEGMarker
    let precision: UInt8
    /// In the order of the frame header.
    let components: [JPEGComponent]
    /// Offset of the frame header's marker, after any fill bytes.
    let offset: Int

    /// 1 for greyscale, 3 for Y'CbCr, at most 4.
    package var componentCount: Int { components.count }
    /// Progressive DCT (SOF2, SOF10).
    package var isProgressive: Bool { process.rawValue == 0xC2 || process.rawValue == 0xCA }
    /// Arithmetic coding, which needs no Huffman tables.
    var isArithmetic: Bool { process.rawValue > 0xC8 }
    /// Supported by our reader: sequential DCT, Huffman coding, 8-bit samples.
    var isBaseline: Bool { process.rawValue <= 0xC1 && precision == 8 }

    /// The picture may be truncated after its frame header.
    ///
    /// Throws ``ImagingError/notJPEG(_:)``, or ``ImagingError/truncated`` if the bytes end before it.
    package static func read(_ bytes: RawSpan) throws(ImagingError) -> JPEGHeader {
        var walk = try JPEGWalk(bytes)
        while true {
            try walk.next()
            if let frame = walk.frame { return frame }
        }
    }

    /// True for all segments from SOI to EOI, without decoding; padding may follow.
    ///
    /// False for a file cut off by a power failure.
    package static func isWhole(_ bytes: RawSpan) -> Bool { (try? JPEGStructure(bytes))?.isTerminated ?? false }

    init(_ segment: JPEGSegment) throws(ImagingError) {
        let (marker, payload) = (segment.marker, segment.payload)
        // Those that libjpeg decodes: sequential (0, 1) and progressive (2), and both with arithmetic coding (9, 10).
        guard [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(marker.rawValue) else {
            throw .notJPEG("its coding process (SOF\(marker.rawValue - 0xC0)) is one that programs do not read")
        }
        let length = payload.byteCount
        guard length >= 6 else { throw .notJPEG("its frame header (SOF) is only \(length) bytes long") }
        (process, precision, offset) = (marker, payload.byte(at: 0), segment.offset)
        size = FrameSize(width: payload.bigEndian16(at: 3), height: payload.bigEndian16(at: 1))
        guard size.width > 0, size.height > 0 else { throw .notJPEG("its size is \(size)") }
        let count = Int(payload.byte(at: 5))
        guard (1...4).contains(count), length == 6 + 3 * count else {
            throw .notJPEG("its frame header (SOF) of \(length) bytes does not fit \(count) components")
        }
        components = (0..<count).map { JPEGComponent(at: 6 + 3 * $0, in: payload) }
        guard components.allSatisfy(\.isPossible) else {
            throw .notJPEG("its frame header (SOF) has a component with a factor or a table that there cannot be")
        }
    }

    /// Blocks per MCU, across and down.
    private var largestFactors: (horizontal: Int, vertical: Int) {
        (components.map(\.horizontal).max() ?? 1, components.map(\.vertical).max() ?? 1)
    }

    var sampling: ChromaSampling? {
        // A single component is not interleaved; its factors have no effect.
        guard componentCount > 1 else { return .grey }
        let (luma, cb) = (components[0], components[1])
        guard componentCount == 3, cb.hasFactors(of: components[2]),
            (luma.horizontal, luma.vertical) == largestFactors,
            luma.horizontal.isMultiple(of: cb.horizontal), luma.vertical.isMultiple(of: cb.vertical)
        else { return nil }
        return ChromaSampling(columns: luma.horizontal / cb.horizontal, rows: luma.vertical / cb.vertical)
    }

    /// MCU in pixels, the smallest unit of lossless transforms.
    var unit: FrameSize {
        // As in ``sampling``: the factors of a single component have no effect.
        let largest = componentCount > 1 ? largestFactors : (horizontal: 1, vertical: 1)
        return FrameSize(width: 8 * largest.horizontal, height: 8 * largest.vertical)
    }

    /// MCUs of an interleaved scan (A.2.3).
    var units: (columns: Int, rows: Int) {
        let largest = largestFactors
        return ((size.width - 1) / (8 * largest.horizontal) + 1, (size.height - 1) / (8 * largest.vertical) + 1)
    }

    /// Without padding to whole MCUs (A.1.1, A.2.2).
    func blocks(of component: JPEGComponent) -> (columns: Int, rows: Int) {
        let largest = largestFactors
        func count(_ side: Int, _ factor: Int, _ largest: Int) -> Int { ((side * factor - 1) / largest + 8) / 8 }
        let columns = count(size.width, component.horizontal, largest.horizontal)
        return (columns, count(size.height, component.vertical, largest.vertical))
    }
}

/// Component of a frame header (ITU-T T.81, table B.2).
struct JPEGComponent: Hashable {
    let id: UInt8
    /// Sampling factors, 1 to 4.
    let horizontal: Int
    let vertical: Int
    /// Table number, 0 to 3.
    let quantization: Int

    /// Three bytes, which must be in bounds.
    init(at offset: Int, in bytes: RawSpan) {
        id = bytes.byte(at: offset)
        horizontal = Int(bytes.byte(at: offset + 1) >> 4)
        vertical = Int(bytes.byte(at: offset + 1) & 15)
        quantization = Int(bytes.byte(at: offset + 2))
    }

    /// Blocks per MCU of an interleaved scan.
    var blocks: Int { horizontal * vertical }
    func hasFactors(of other: JPEGComponent) -> Bool { horizontal == other.horizontal && vertical == other.vertical }

    var isPossible: Bool {
        (1...4).contains(horizontal) && (1...4).contains(vertical) && (0...3).contains(quantization)
    }
}

/// Scan header (SOS; ITU-T T.81, B.2.3).
struct JPEGScanHeader {
    /// Huffman tables are 0 to 3.
    struct Selection {
        let index: Int
        let component: JPEGComponent
        let dcTable: Int
        let acTable: Int
    }

    /// In scan order, without duplicates.
    let components: [Selection]
    /// True if the scan has all coefficients with all bits, as in sequential processes.
    let isComplete: Bool

    init(_ segment: JPEGSegment, of frame: JPEGHeader) throws(ImagingError) {
        let payload = segment.payload
        let length = payload.byteCount
        let count = length > 0 ? Int(payload.byte(at: 0)) : 0
        guard (1...frame.componentCount).contains(count), length == 4 + 2 * count else {
            throw .notJPEG("its scan header (SOS) is \(length) bytes long and does not fit its components")
        }
        var components: [Selection] = []
        for place in 0..<count {
            let id = payload.byte(at: 1 + 2 * place)
            let tables = payload.byte(at: 2 + 2 * place)
            // Some encoders use one identifier for several components: take the next unused one.
            let index = frame.components.indices.first { index in
                frame.components[index].id == id && !components.contains { $0.index == index }
            }
            guard let index, tables & 0xCC == 0 else {
                throw .notJPEG("its scan header (SOS) names a component or a table that there is not")
            }
            let component = frame.components[index]
            let (dcTable, acTable) = (Int(tables >> 4), Int(tables & 15))
            components.append(Selection(index: index, component: component, dcTable: dcTable, acTable: acTable))
        }
        self.components = components
        isComplete = (length - 3..<length).map { payload.byte(at: $0) } == [0, 63, 0]
    }
}
