// SPDX-License-Identifier: Apache-2.0

/// Reads the blocks of one scan of a baseline JPEG.
struct JPEGBlockReader {
    struct Block {
        /// Index of its component in the scan.
        let component: Int
        let dcTable: Int
        let acTable: Int
        let dcStep: Int
        /// Magnitude of the quantised DC coefficient.
        let dcMost: Int
        /// Index of the mean for the first MCU, and the increments per MCU column and row.
        let mean: Int
        let meanColumn: Int
        let meanRow: Int
    }

    let blocks: [Block]
    let columns: Int
    let rows: Int
    /// In MCUs; 0 if the scan has none.
    let restartInterval: Int
    /// Maximum bits of each coefficient's number: ``sizeCount`` entries in zigzag order per component of the scan.
    let sizes: [UInt8]
    /// Luma block rows per MCU row; 0 in a scan without luma.
    private let lumaRows: Int

    var bits: EntropyBits
    /// Last DC value of each component of the scan.
    var predictions: InlineArray<4, Int> = InlineArray(repeating: 0)
    var untilRestart: Int
    var restarts = 0
    /// Surplus bytes before restart markers, in order.
    var surplus: [Range<Int>] = []

    /// Magnitude of a dequantised coefficient of 8-bit samples: 1024, plus a margin for the encoders of cameras.
    static let largest = 1100
    /// The 64 positions of a block, plus those that the step of one code can reach past it.
    static let sizeCount = 80

    /// Throws ``ImagingError/notJPEG(_:)`` if a table is missing or an MCU has too many blocks.
    init(
        _ header: JPEGScanHeader,
        _ frame: JPEGHeader,
        at position: Int,
        _ restartInterval: Int,
        _ tables: inout HuffmanTables,
        _ quantization: JPEGQuantization,
        _ means: BlockMeans
    ) throws(ImagingError) {
        var blocks: [Block] = []
        var sizes: [UInt8] = []
        // For each AC table, the number size that is valid for every coefficient coded with it.
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
            // In a scan of one component an MCU is a single block (A.2.2).
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

    /// A number of n bits has a magnitude of at least 2^(n-1).
    private static func bits(_ step: UInt16) -> UInt8 {
        let most = (largest + Int(step)) / max(1, Int(step))
        return UInt8(min(15, Int.bitWidth - most.leadingZeroBitCount))
    }

    /// Reads all MCUs; ends with the data at the latest, as each block consumes at least one bit.
    ///
    /// `tables` are those of the initialiser; `means` receives the mean of each block. With `stopsEarly` it stops as
    /// soon as they show that the picture is neither black nor uniform.
    mutating func read(
        _ tables: HuffmanTables,
        into means: inout BlockMeans,
        stopsEarly: Bool,
        in bytes: RawSpan
    ) -> JPEGScanFinding? {
        for row in 0..<rows {
            if let damage = read(row, tables, into: &means.values, in: bytes) { return .damaged(damage) }
            means.addToHistogram(row * lumaRows..<(row + 1) * lumaRows)
            if stopsEarly, means.showsSomething { return .unread }
        }
        return nil
    }
}
