// SPDX-License-Identifier: Apache-2.0

/// Reads the blocks of one scan of a baseline picture.
struct JPEGBlockReader {
    /// One block of each MCU: where its tables are, and where its mean goes.
    struct Block {
        /// Its component's place in the scan.
        let component: Int
        let dcTable: Int
        let acTable: Int
        let dcStep: Int
        /// The largest number that the DC coefficient can have.
        let dcMost: Int
        /// Where the mean of the first MCU's block goes, and how far it is from there to that of the next column and row.
        let mean: Int
        let meanColumn: Int
        let meanRow: Int
    }

    /// The blocks of an MCU.
    let blocks: [Block]
    /// MCUs beside each other.
    let columns: Int
    /// MCUs below each other.
    let rows: Int
    /// MCUs from one restart marker to the next; 0 for a scan without any.
    let restartInterval: Int
    /// For each component of the scan and place in the zigzag, ``sizeCount`` of them: how many bits the coefficient's
    /// number has at most.
    let sizes: [UInt8]
    /// Rows of luma that a row of MCUs has; 0 in a scan without luma.
    private let lumaRows: Int

    /// The data that was not read yet.
    var bits: EntropyBits
    /// The last DC number of each component of the scan.
    var predictions: InlineArray<4, Int> = InlineArray(repeating: 0)
    /// The MCUs up to the next restart marker.
    var untilRestart: Int
    /// The restart markers so far.
    var restarts = 0

    /// The largest number that a coefficient of 8-bit samples can have before it is divided by its step: 1024, and a bit
    /// for the arithmetic of cameras.
    static let largest = 1100
    /// The places of a block, and those that the step of one code can reach behind it.
    static let sizeCount = 80

    /// A reader of the scan whose data begins at `position`.
    ///
    /// - Throws: ``ImagingError/notJPEG(_:)`` where a table is not there, or an MCU has too many blocks.
    init(
        _ header: JPEGScanHeader,
        _ frame: JPEGHeader,
        at position: Int,
        restartInterval: Int,
        _ tables: inout HuffmanTables,
        _ quantization: JPEGQuantization,
        _ means: BlockMeans
    ) throws(ImagingError) {
        var blocks: [Block] = []
        var sizes: [UInt8] = []
        // For each AC table the bits that every coefficient may have which is coded by it.
        var least: [Int: UInt8] = [:]
        let isInterleaved = header.components.count > 1
        for (place, selection) in header.components.enumerated() {
            let dcTable = HuffmanTables.number(isAC: false, selection.dcTable)
            let acTable = HuffmanTables.number(isAC: true, selection.acTable)
            let component = selection.component
            guard tables.has(dcTable), tables.has(acTable), quantization.has(component.quantization) else {
                throw .notJPEG("its scan (SOS) needs a table that there is not")
            }
            let steps = quantization.steps[component.quantization * 64..<component.quantization * 64 + 64]
            let bits = steps.map(Self.bits)
            sizes += bits + [UInt8](repeating: 15, count: Self.sizeCount - 64)
            least[acTable] = min(least[acTable] ?? 15, bits.dropFirst().min() ?? 15)
            let dcStep = max(1, Int(steps.first ?? 1))
            let plane = means.planes[selection.index]
            // A scan of one component has no MCU of several blocks (A.2.2).
            let (wide, high) = isInterleaved ? (component.horizontal, component.vertical) : (1, 1)
            for index in 0..<wide * high {
                let block = Block(
                    component: place,
                    dcTable: dcTable,
                    acTable: acTable,
                    dcStep: dcStep,
                    dcMost: (Self.largest + dcStep) / dcStep,
                    mean: plane.start + index / wide * plane.stride + index % wide,
                    meanColumn: wide,
                    meanRow: high * plane.stride
                )
                blocks.append(block)
            }
        }
        guard blocks.count <= 10 else { throw .notJPEG("its MCU has \(blocks.count) blocks, where 10 are allowed") }
        for (table, size) in least { tables.combine(table, upTo: Int(size)) }
        (self.blocks, self.sizes) = (blocks, sizes)
        let only = isInterleaved ? nil : header.components.first?.component
        (columns, rows) = only.map(frame.blocks) ?? frame.units
        let luma = header.components.first { $0.index == 0 }?.component
        lumaRows = luma.map { isInterleaved ? $0.vertical : 1 } ?? 0
        bits = EntropyBits(at: position)
        self.restartInterval = restartInterval
        untilRestart = restartInterval
    }

    /// How many bits a number has at most that was divided by `step`: one of n bits is at least half of 2 to the n.
    private static func bits(_ step: UInt16) -> UInt8 {
        let most = (largest + Int(step)) / max(1, Int(step))
        return UInt8(min(15, Int.bitWidth - most.leadingZeroBitCount))
    }

    /// Reads all MCUs of the scan.
    ///
    /// It ends with the data at the latest: each block takes a bit of it.
    ///
    /// - Parameters:
    ///   - tables: those that the scan was made with.
    ///   - means: take up the mean of each block.
    ///   - stopsEarly: whether to leave the rest unread once the means tell that the picture shows something.
    ///   - bytes: the picture.
    /// - Returns: nil where every MCU is there.
    mutating func read(
        _ tables: HuffmanTables,
        into means: inout BlockMeans,
        stopsEarly: Bool,
        in bytes: RawSpan
    ) -> JPEGScanFinding? {
        for row in 0..<rows {
            if let damage = read(row, tables, into: &means.values, in: bytes) { return .damaged(damage) }
            means.count(row * lumaRows..<(row + 1) * lumaRows)
            if stopsEarly, means.showsSomething { return .unread }
        }
        return nil
    }
}
