// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// What a JPEG picture's frame header says of it, found without decoding.
package struct JPEGHeader: Hashable, Sendable {
    /// The size of the picture.
    package let size: FrameSize
    /// 1 for greyscale, 3 for Y'CbCr, 4 for what cameras do not make; at most 4.
    package let componentCount: Int
    /// Whether it comes in several passes over the whole picture (SOF2).
    package let isProgressive: Bool
    /// Its components, in the order of the frame header.
    let components: [JPEGComponent]

    /// Reads the frame header of a picture, whose end need not be there.
    ///
    /// - Throws: ``ImagingError/notJPEG(_:)``, or ``ImagingError/truncated`` if the bytes end before the frame header.
    package static func read(_ bytes: RawSpan) throws(ImagingError) -> JPEGHeader {
        var walk = try JPEGMarkerWalk(bytes)
        while true {
            let segment = try walk.next(in: bytes)
            if segment.marker.isFrameHeader { return try JPEGHeader(segment, in: bytes) }
            guard segment.marker != .startOfScan, segment.marker != .endOfImage else {
                throw .notJPEG("it has no frame header (SOF)")
            }
        }
    }

    /// Whether the bytes hold a picture with all its segments from SOI to EOI; padding may follow.
    ///
    /// A file that was being written when the power went is not whole. The entropy-coded data is not decoded.
    package static func isWhole(_ bytes: RawSpan) -> Bool {
        do {
            _ = try JPEGStructure(bytes)
            return true
        } catch {
            return false
        }
    }
}

extension JPEGHeader {
    /// The largest sampling factors of its components: in a single MCU so many blocks lie beside and below each other.
    var largestFactors: (horizontal: Int, vertical: Int) {
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

    /// Reads a frame header segment (ITU-T T.81, B.2.2).
    init(_ segment: JPEGSegment, in bytes: RawSpan) throws(ImagingError) {
        // Sequential (0, 1) and progressive (2), by Huffman or (9, 10) arithmetic coding: what libjpeg decodes.
        guard [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(segment.marker.rawValue) else {
            throw .notJPEG("its coding process (SOF\(segment.marker.rawValue - 0xC0)) is one that programs do not read")
        }
        let body = segment.body
        guard body.count >= 6 else { throw .notJPEG("its frame header (SOF) is only \(body.count) bytes long") }
        let height = bytes.bigEndian16(at: body.lowerBound + 1)
        let width = bytes.bigEndian16(at: body.lowerBound + 3)
        let count = Int(bytes.byte(at: body.lowerBound + 5))
        guard width > 0, height > 0 else { throw .notJPEG("its size is \(width)x\(height)") }
        guard (1...4).contains(count), body.count == 6 + 3 * count else {
            throw .notJPEG("its frame header (SOF) of \(body.count) bytes does not fit \(count) components")
        }
        components = (0..<count).map { JPEGComponent(at: body.lowerBound + 6 + 3 * $0, in: bytes) }
        guard components.allSatisfy(\.isPossible) else {
            throw .notJPEG("its frame header (SOF) has a component with a factor or a table that there cannot be")
        }
        size = FrameSize(width: width, height: height)
        componentCount = count
        isProgressive = segment.marker.rawValue == 0xC2 || segment.marker.rawValue == 0xCA
    }
}
