// SPDX-License-Identifier: Apache-2.0

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
