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
