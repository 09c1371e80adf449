// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Reads the blocks of one scan of a baseline picture.
struct JPEGBlockReader {
    /// How far the reading has come.
    struct State {
        var bits: EntropyBits
        /// The last DC number of each component of the scan.
        var predictions: InlineArray<4, Int32> = InlineArray(repeating: 0)

        init(at position: Int) { bits = EntropyBits(at: position) }

        /// Goes over the restart marker whose turn it is after so many; false if there is another one, or none.
        mutating func restart(behind count: Int, in bytes: RawSpan) -> Bool {
            var place = bits.position
            guard place < bytes.byteCount, bytes.byte(at: place) == 0xFF else { return false }
            while place < bytes.byteCount, bytes.byte(at: place) == 0xFF { place += 1 }
            guard place < bytes.byteCount, Int(bytes.byte(at: place)) == 0xD0 + count % 8 else { return false }
            self = State(at: place + 1)
            return true
        }
    }

    /// One block of each MCU: where its tables are.
    private struct Block {
        var component: Int
        var dcTable: Int
        var acTable: Int
        var dcStep: Int32
        /// Where the sizes begin that its coefficients can have.
        var sizes: Int
    }

    private let blocks: [Block]
    private let unitCount: Int
    private let tables: HuffmanTables
    /// For each component of the scan and place in the zigzag, ``sizeCount`` of them: how many bits the coefficient's
    /// number has at most.
    private let sizes: [UInt8]

    /// The largest number that a coefficient of 8-bit samples can have before it is divided by its step: 1024, and a bit
    /// for the arithmetic of cameras.
    private static let largest: Int32 = 1100

    init(
        _ header: JPEGScanHeader,
        _ frame: JPEGHeader,
        _ tables: HuffmanTables,
        _ quantization: JPEGQuantization
    ) throws(ImagingError) {
        let largestH = frame.components.map(\.horizontal).max() ?? 1
        let largestV = frame.components.map(\.vertical).max() ?? 1
        var blocks: [Block] = []
        var sizes: [UInt8] = []
        for (place, selection) in header.components.enumerated() {
            let dcTable = HuffmanTables.number(isAC: false, selection.dcTable)
            let acTable = HuffmanTables.number(isAC: true, selection.acTable)
            let table = selection.component.quantization
            guard tables.has(dcTable), tables.has(acTable), quantization.has(table) else {
                throw .notJPEG("its scan (SOS) needs a table that there is not")
            }
            let steps = quantization.steps[table * 64..<table * 64 + 64]
            sizes += steps.map { step in
                let most = (Self.largest + Int32(step)) / max(1, Int32(step))
                // A number of n bits is at least half of 2 to the n.
                return UInt8((1...15).last { 1 << ($0 - 1) <= most } ?? 0)
            }
            sizes += [UInt8](repeating: 15, count: Self.sizeCount - 64)
            let block = Block(
                component: place,
                dcTable: dcTable,
                acTable: acTable,
                dcStep: max(1, Int32(steps.first ?? 1)),
                sizes: place * Self.sizeCount
            )
            // A scan of one component has no MCU of several blocks (A.2.2).
            let component = selection.component
            let count = header.components.count == 1 ? 1 : component.horizontal * component.vertical
            blocks += Array(repeating: block, count: count)
        }
        guard blocks.count <= 10 else { throw .notJPEG("its MCU has \(blocks.count) blocks, where 10 are allowed") }
        self.blocks = blocks
        self.sizes = sizes
        self.tables = tables
        let (width, height) = (frame.size.width, frame.size.height)
        if header.components.count == 1, let only = header.components.first?.component {
            unitCount =
                width.blocks(of: 8, only.horizontal, of: largestH) * height.blocks(of: 8, only.vertical, of: largestV)
        } else {
            unitCount = ((width - 1) / (8 * largestH) + 1) * ((height - 1) / (8 * largestV) + 1)
        }
    }

    /// Reads all MCUs of the scan; what is wrong with them, nil if nothing is.
    ///
    /// It ends with the data at the latest: each block takes a bit of it.
    func read(_ state: inout State, _ restartInterval: Int, in bytes: RawSpan) -> String? {
        let look = tables.look.span
        let sizes = sizes.span
        let blocks = blocks.span
        var untilRestart = restartInterval
        var restarts = 0
        for unit in 0..<unitCount {
            if restartInterval > 0, untilRestart == 0 {
                guard state.bits.isAtEnd(in: bytes), state.restart(behind: restarts, in: bytes) else {
                    return "restart marker \(restarts % 8) is not behind MCU \(unit)"
                }
                restarts += 1
                untilRestart = restartInterval
            }
            untilRestart -= 1
            for index in blocks.indices {
                let damage = read(blocks[index], &state, look, sizes, in: bytes)
                if state.bits.available < 0 { return "its data ends in MCU \(unit + 1) of \(unitCount)" }
                if let damage { return "\(damage.rawValue) in MCU \(unit + 1) of \(unitCount)" }
            }
        }
        return nil
    }

    /// The places of a block, and those that a step can reach behind it.
    private static let sizeCount = 80

    /// What can be wrong with a block.
    private enum Damage: String {
        case code = "there is a code that is in no table"
        case overrun = "there is a block of more than 64 coefficients"
        case range = "there is a coefficient that no picture has"
    }

    @inline(__always) private func step(
        _ bits: EntropyBits,
        _ table: Int,
        _ look: Span<HuffmanTables.Step>
    ) -> HuffmanTables.Step {
        let step = look[HuffmanTables.lookOffset(table) &+ bits.peek(HuffmanTables.lookBits)]
        return step.length > 0 ? step : tables.find(Int32(bits.peek(16)), in: table) ?? .none
    }

    @inline(__always) private func read(
        _ block: Block,
        _ state: inout State,
        _ look: Span<HuffmanTables.Step>,
        _ sizes: Span<UInt8>,
        in bytes: RawSpan
    ) -> Damage? {
        var bits = state.bits
        defer { state.bits = bits }
        bits.fill(from: bytes)
        let first = step(bits, block.dcTable, look)
        guard first.length > 0 else { return .code }
        guard first.size <= 11 else { return .range }
        if first.size > 0 {
            let number = Int32(truncatingIfNeeded: bits.peek(Int(first.length)) & (1 << Int(first.size) - 1))
            // EXTEND of F.2.2.1: the lower half of the numbers is negative.
            let isNegative = number < 1 << (Int32(first.size) - 1)
            state.predictions[block.component] += isNegative ? number - (1 << Int32(first.size)) + 1 : number
        }
        bits.take(Int(first.length))
        guard abs(state.predictions[block.component]) * block.dcStep <= Self.largest + block.dcStep else {
            return .range
        }
        var place = 1
        repeat {
            bits.fill(from: bytes)
            let step = step(bits, block.acTable, look)
            guard step.length > 0 else { return .code }
            bits.take(Int(step.length))
            place &+= Int(step.skip)
            // The last place of a step that goes too far is the last one of the list.
            guard step.size <= sizes[block.sizes &+ min(place, Self.sizeCount) &- 1] else { return .range }
        } while place < 64
        return place == 64 || place >= Int(HuffmanTables.Step.end) ? nil : .overrun
    }
}

extension Int {
    /// How many blocks of `side` samples a component has along a side of the picture (A.1.1 and A.2.2).
    fileprivate func blocks(of side: Int, _ factor: Int, of largest: Int) -> Int {
        let samples = (self * factor - 1) / largest + 1
        return (samples - 1) / side + 1
    }
}
