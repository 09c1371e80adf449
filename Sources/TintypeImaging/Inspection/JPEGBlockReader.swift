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

/// Hot path of the scan reader: everything here runs once per code.
extension JPEGBlockReader {
    private enum BlockEnd: String {
        case whole
        case code = "there is a code that is in no table"
        case overrun = "there is a block of more than 64 coefficients"
        case range = "there is a coefficient that no picture has"
    }

    /// Reads one row of MCUs and returns the error, if any.
    mutating func read(_ row: Int, _ tables: HuffmanTables, into means: inout [UInt8], in bytes: RawSpan) -> String? {
        let blocks = blocks
        var target = means.mutableSpan
        // Local copies, so that they stay in registers.
        var bits = bits
        var predictions = predictions
        defer { (self.bits, self.predictions) = (bits, predictions) }
        for column in 0..<columns {
            let unit = row * columns + column
            if restartInterval > 0 {
                if untilRestart == 0 {
                    guard let found = bits.restart(behind: restarts, in: bytes) else {
                        return "restart marker \(restarts % 8) is not behind MCU \(unit)"
                    }
                    if !found.isEmpty { surplus.append(found) }
                    predictions = InlineArray(repeating: 0)
                    untilRestart = restartInterval
                    restarts += 1
                }
                untilRestart -= 1
            }
            for index in blocks.indices {
                let block = blocks[index]
                var prediction = predictions[block.component]
                let end = read(block, tables, &bits, &prediction, in: bytes)
                if bits.available < 0 { return "its data ends in MCU \(unit + 1) of \(rows * columns)" }
                guard end == .whole else { return "\(end.rawValue) in MCU \(unit + 1) of \(rows * columns)" }
                predictions[block.component] = prediction
                // The DC value is eight times the block's mean (A.3.3), minus 128 (A.3.1).
                let mean = (prediction &* block.dcStep &+ 4) >> 3 &+ 128
                target[block.mean &+ row &* block.meanRow &+ column &* block.meanColumn] = UInt8(clamping: mean)
            }
        }
        return nil
    }

    /// At least 56 bits are available after a fill: a DC code with its number takes up to 27, an AC step up to 26.
    @inline(__always) private func read(
        _ block: Block,
        _ tables: HuffmanTables,
        _ bits: inout EntropyBits,
        _ prediction: inout Int,
        in bytes: RawSpan
    ) -> BlockEnd {
        bits.fill(from: bytes)
        let first = single(bits, block.dcTable, tables)
        guard first.length > 0 else { return .code }
        guard first.size <= 11 else { return .range }
        // EXTEND of F.2.2.1: the lower half of the values is negative.
        let ones = 1 &<< first.size &- 1
        let number = bits.peek(first.length) & ones
        prediction &+= 2 &* number > ones ? number : number &- ones
        bits.consume(first.length)
        guard prediction.magnitude <= block.dcMost else { return .range }
        var place = 1
        while true {
            if let end = step(block, tables, &bits, &place, in: bytes) { return end }
            bits.fill(from: bytes)
            if let end = step(block, tables, &bits, &place, in: bytes) { return end }
        }
    }

    /// Reads the AC codes of one lookup; nil if the block continues.
    @inline(__always) private func step(
        _ block: Block,
        _ tables: HuffmanTables,
        _ bits: inout EntropyBits,
        _ place: inout Int,
        in bytes: RawSpan
    ) -> BlockEnd? {
        let look = HuffmanTables.combinedOffset(block.acTable) &+ bits.peek(HuffmanTables.lookBits)
        // In bounds: the index has as many bits as the table.
        let step = unsafe tables.combined.span[unchecked: look]
        let next = place &+ step.skip
        if next < 64 {
            bits.consume(step.length)
            place = next
            return nil
        }
        if next >= HuffmanStep.end, next < HuffmanStep.end + 64 {
            bits.consume(step.length)
            return .whole
        }
        return stepByOne(block, tables, &bits, &place, in: bytes)
    }

    /// Near the end of a block the lookup may include codes of the next one, and a number may be too large.
    @inline(never) private func stepByOne(
        _ block: Block,
        _ tables: HuffmanTables,
        _ bits: inout EntropyBits,
        _ place: inout Int,
        in bytes: RawSpan
    ) -> BlockEnd? {
        bits.fill(from: bytes)
        let step = single(bits, block.acTable, tables)
        guard step.length > 0 else { return .code }
        bits.consume(step.length)
        bits.fill(from: bytes)
        place += step.skip
        // A step past the end of the block is checked against the last entry.
        guard step.size <= sizes[block.component * Self.sizeCount + min(place, Self.sizeCount) - 1] else {
            return .range
        }
        if place < 64 { return nil }
        return place == 64 || place >= HuffmanStep.end ? .whole : .overrun
    }

    /// Length 0 if there is none.
    @inline(__always) private func single(_ bits: EntropyBits, _ table: Int, _ tables: HuffmanTables) -> HuffmanStep {
        let look = HuffmanTables.lookOffset(table) &+ bits.peek(HuffmanTables.lookBits)
        let step = unsafe tables.single.span[unchecked: look]
        return step.length > 0 ? step : tables.find(Int32(bits.peek(16)), in: table) ?? .none
    }
}
