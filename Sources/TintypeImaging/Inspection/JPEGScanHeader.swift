// SPDX-License-Identifier: Apache-2.0

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
    init(_ segment: JPEGSegment, in bytes: RawSpan, frame: JPEGHeader) throws(ImagingError) {
        let body = segment.body
        guard let count = body.first.map({ Int(bytes.byte(at: $0)) }),
            (1...frame.componentCount).contains(count), body.count == 4 + 2 * count
        else { throw .notJPEG("its scan header (SOS) is \(body.count) bytes long and does not fit its components") }
        var components: [Selection] = []
        for place in 0..<count {
            let offset = body.lowerBound + 1 + 2 * place
            let id = bytes.byte(at: offset)
            let tables = bytes.byte(at: offset + 1)
            // Some encoders give several components the same name: the next one is meant.
            let index = frame.components.indices.first { index in
                frame.components[index].id == id && !components.contains { $0.index == index }
            }
            guard let index, tables & 0xCC == 0 else {
                throw .notJPEG("its scan header (SOS) names a component or a table that there is not")
            }
            components.append(
                Selection(
                    index: index,
                    component: frame.components[index],
                    dcTable: Int(tables >> 4),
                    acTable: Int(tables & 15)
                )
            )
        }
        self.components = components
        let end = body.upperBound
        isComplete = (end - 3..<end).map { bytes.byte(at: $0) } == [0, 63, 0]
    }
}
