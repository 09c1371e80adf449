// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// What a JPEG picture's frame header says of it, found without decoding (ITU-T T.81, B.2.2).
package struct JPEGHeader: Hashable, Sendable {
    /// The size of the picture.
    package let size: FrameSize
    let process: JPEGMarker
    let precision: UInt8
    /// Its components, in the order of the frame header.
    let components: [JPEGComponent]
    /// Where the frame header's marker begins, fill bytes aside.
    let offset: Int

    /// 1 for greyscale, 3 for Y'CbCr, 4 for what cameras do not make; at most 4.
    package var componentCount: Int { components.count }
    /// Whether it comes in several passes over the whole picture (SOF2).
    package var isProgressive: Bool { process.rawValue == 0xC2 || process.rawValue == 0xCA }
    /// Whether the coding process is arithmetic and needs no Huffman tables.
    var isArithmetic: Bool { process.rawValue > 0xC8 }
    /// Whether it is of the process that our reader covers: sequential, by Huffman coding, of 8-bit samples.
    var isBaseline: Bool { process.rawValue <= 0xC1 && precision == 8 }

    /// Reads the frame header of a picture, whose end need not be there.
    ///
    /// - Throws: ``ImagingError/notJPEG(_:)``, or ``ImagingError/truncated`` if the bytes end before the frame header.
    package static func read(_ bytes: RawSpan) throws(ImagingError) -> JPEGHeader {
        var walk = try JPEGWalk(bytes)
        while true {
            try walk.next()
            if let frame = walk.frame { return frame }
        }
    }

    /// Whether the bytes hold a picture with all its segments from SOI to EOI; padding may follow.
    ///
    /// A file that was being written when the power went is not whole. The entropy-coded data is not decoded.
    package static func isWhole(_ bytes: RawSpan) -> Bool { (try? JPEGStructure(bytes))?.isTerminated ?? false }

    init(_ segment: JPEGSegment) throws(ImagingError) {
        let (marker, payload) = (segment.marker, segment.payload)
        // Sequential (0, 1) and progressive (2), by Huffman or (9, 10) arithmetic coding: what libjpeg decodes.
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
}

extension JPEGHeader {
    /// The largest sampling factors of its components: in a single MCU so many blocks lie beside and below each other.
    private var largestFactors: (horizontal: Int, vertical: Int) {
        (components.map(\.horizontal).max() ?? 1, components.map(\.vertical).max() ?? 1)
    }

    /// What its chroma samples stand for; nil for what libturbojpeg has no name for.
    var sampling: ChromaSampling? {
        // A single component is not interleaved: its factors say nothing.
        guard componentCount > 1 else { return .grey }
        let (luma, cb) = (components[0], components[1])
        guard componentCount == 3, cb.hasFactors(of: components[2]),
            (luma.horizontal, luma.vertical) == largestFactors,
            luma.horizontal.isMultiple(of: cb.horizontal), luma.vertical.isMultiple(of: cb.vertical)
        else { return nil }
        return ChromaSampling(columns: luma.horizontal / cb.horizontal, rows: luma.vertical / cb.vertical)
    }

    /// The sides of what cannot be taken apart without decoding (MCU), in pixels.
    var unit: FrameSize {
        // As for the sampling.
        let largest = componentCount > 1 ? largestFactors : (horizontal: 1, vertical: 1)
        return FrameSize(width: 8 * largest.horizontal, height: 8 * largest.vertical)
    }

    /// How many MCUs of all components lie beside and below each other (A.2.3).
    var units: (columns: Int, rows: Int) {
        let largest = largestFactors
        return ((size.width - 1) / (8 * largest.horizontal) + 1, (size.height - 1) / (8 * largest.vertical) + 1)
    }

    /// How many blocks a component has beside and below each other, without those that only fill an MCU (A.1.1, A.2.2).
    func blocks(of component: JPEGComponent) -> (columns: Int, rows: Int) {
        let largest = largestFactors
        func count(_ side: Int, _ factor: Int, _ largest: Int) -> Int { ((side * factor - 1) / largest + 8) / 8 }
        return (
            count(size.width, component.horizontal, largest.horizontal),
            count(size.height, component.vertical, largest.vertical)
        )
    }
}

/// One component of a JPEG picture, as the frame header has it (ITU-T T.81, table B.2).
struct JPEGComponent: Hashable {
    /// By what scans name it.
    let id: UInt8
    /// Its horizontal sampling factor, 1 to 4.
    let horizontal: Int
    /// Its vertical sampling factor, 1 to 4.
    let vertical: Int
    /// Which quantisation table it needs, 0 to 3.
    let quantization: Int

    /// Reads the three bytes at `offset`, which must lie inside.
    init(at offset: Int, in bytes: RawSpan) {
        id = bytes.byte(at: offset)
        horizontal = Int(bytes.byte(at: offset + 1) >> 4)
        vertical = Int(bytes.byte(at: offset + 1) & 15)
        quantization = Int(bytes.byte(at: offset + 2))
    }

    /// How many blocks of it an MCU of all components has.
    var blocks: Int { horizontal * vertical }

    func hasFactors(of other: JPEGComponent) -> Bool {
        horizontal == other.horizontal && vertical == other.vertical
    }

    var isPossible: Bool {
        (1...4).contains(horizontal) && (1...4).contains(vertical) && (0...3).contains(quantization)
    }
}

/// What a scan header (SOS) says (ITU-T T.81, B.2.3).
struct JPEGScanHeader {
    /// A component with the Huffman tables that the scan uses for it, 0 to 3 each.
    struct Selection {
        let index: Int
        let component: JPEGComponent
        let dcTable: Int
        let acTable: Int
    }

    /// The components of the scan, each once, in its order.
    let components: [Selection]
    /// Whether it says that the scan has all coefficients with all their bits, as those of a sequential process have.
    let isComplete: Bool

    /// Reads a scan header that belongs to a frame header.
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
            // Some encoders give several components the same name: the next one is meant.
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
