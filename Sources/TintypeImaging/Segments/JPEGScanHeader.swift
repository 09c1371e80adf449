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
