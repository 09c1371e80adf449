// SPDX-License-Identifier: Apache-2.0

/// Huffman decoding tables (DHT; ITU-T T.81, Annex C and F.2.2.3), standard ones for a picture without, as Motion JPEG.
///
/// Kept between pictures because cameras send the same tables with each.
struct HuffmanTables {
    /// Maximum code length resolved by a single lookup.
    static let lookBits = 11
    private static let lookCount = 1 << lookBits
    /// Four DC and four AC tables.
    private static let count = 8

    /// First code for each table and lookup index; ``HuffmanStep/none`` if longer than ``lookBits`` or invalid.
    private(set) var single = [HuffmanStep](repeating: .none, count: count * lookCount)
    /// All complete AC codes as one step; ``HuffmanStep/none`` if a number is too large for some coefficient.
    private(set) var combined = [HuffmanStep](repeating: .none, count: count / 2 * lookCount)
    /// For each table and code length 0 to 16: first code after those of that length, left-aligned in 16 bits.
    private var limits = [Int32](repeating: 0, count: count * 17)
    /// For each table and code length: offset from a code to its index among the values.
    private var places = [Int32](repeating: 0, count: count * 17)
    /// Source of each table as in the segment: 16 counts, then the values in code order.
    private var sources = [[UInt8]](repeating: [], count: count)
    /// Bits of a number that ``combined`` was built for, per AC table; 0 if not built.
    private var largest = [Int](repeating: 0, count: count / 2)
    /// Bit mask of the tables the picture has defined.
    private var known: UInt8 = 0

    /// DC before AC.
    static func number(isAC: Bool, _ table: Int) -> Int { (isAC ? 4 : 0) + table }

    /// Start of a table in ``single``.
    static func lookOffset(_ number: Int) -> Int { number * lookCount }

    /// Start of an AC table in ``combined``.
    static func combinedOffset(_ number: Int) -> Int { (number - 4) * lookCount }

    /// No tables are defined.
    mutating func startPicture() { known = 0 }

    /// True if the picture has the table with this index; a picture without tables gets the standard ones.
    mutating func has(_ number: Int) -> Bool {
        if known == 0 { readStandard() }
        return known >> number & 1 == 1
    }

    private mutating func readStandard() {
        let bytes = StandardHuffmanTables.segment
        // The standard tables are constant and always valid; a test covers them.
        try? read(JPEGSegment(.huffmanTables, at: 0, bytes.rawSpan.extracting(droppingFirst: 4)))
    }

    mutating func read(_ segment: JPEGSegment) throws(ImagingError) {
        var rest = segment.payload
        while rest.byteCount > 0 {
            let first = rest.byte(at: 0)
            let total = rest.byteCount > 16 ? (1...16).reduce(0) { $0 + Int(rest.byte(at: $1)) } : .max
            let number = Self.number(isAC: first >> 4 == 1, Int(first & 15))
            guard first >> 4 <= 1, first & 15 <= 3, total <= 256, 17 + total <= rest.byteCount,
                build(number, of: rest.extracting(1..<17 + total))
            else { throw .notJPEG("the Huffman tables (DHT) at byte \(segment.offset) are damaged") }
            known |= 1 << number
            rest = rest.extracting(droppingFirst: 17 + total)
        }
    }

    /// Builds a table unless it is unchanged; false if its codes overflow or are invalid.
    private mutating func build(_ number: Int, of bytes: RawSpan) -> Bool {
        let isThere =
            sources[number].count == bytes.byteCount
            && sources[number].indices.allSatisfy { sources[number][$0] == bytes.byte(at: $0) }
        guard !isThere else { return true }
        var source: [UInt8] = []
        source.append(bytes)
        sources[number] = []
        let isAC = number >= 4
        if isAC { largest[number - 4] = 0 }
        let base = Self.lookOffset(number)
        for index in base..<base + Self.lookCount { single[index] = .none }
        var (code, index) = (0, 0)
        for length in 1...16 {
            places[number * 17 + length] = Int32(index - code)
            for _ in 0..<source[length - 1] {
                let value = source[16 + index]
                // As in libjpeg: no code is all ones (C.2), and DC numbers have at most 15 bits.
                guard code + 1 < 1 << length, isAC || value <= 15 else { return false }
                if length <= Self.lookBits, let step = HuffmanStep(code: length, value, isAC: isAC) {
                    let start = base + code << (Self.lookBits - length)
                    for place in start..<start + 1 << (Self.lookBits - length) { single[place] = step }
                }
                code += 1
                index += 1
            }
            limits[number * 17 + length] = Int32(code << (16 - length))
            code <<= 1
        }
        sources[number] = source
        return true
    }

    /// Combines as many codes as fit completely into ``lookBits``, for numbers of up to `size` bits.
    mutating func combine(_ number: Int, upTo size: Int) {
        guard largest[number - 4] != size else { return }
        let base = Self.lookOffset(number)
        for look in 0..<Self.lookCount {
            var step = single[base + look]
            // Limits a step to the 64 coefficients of a block.
            while step.length > 0, step.length < Self.lookBits, step.skip <= 48 {
                let next = single[base + (look << step.length) & (Self.lookCount - 1)]
                guard next.length > 0, next.codeLength <= Self.lookBits - step.length, next.size <= size else { break }
                step = step.followed(by: next)
            }
            combined[Self.combinedOffset(number) + look] = step.size <= size ? step : .none
        }
        largest[number - 4] = size
    }

    /// The code of any length at the start of `bits` (16 bits).
    func find(_ bits: Int32, in number: Int) -> HuffmanStep? {
        for length in 1...16 where bits < limits[number * 17 + length] {
            let place = 16 + Int(bits >> Int32(16 - length) + places[number * 17 + length])
            guard place >= 16, place < sources[number].count else { return nil }
            return HuffmanStep(code: length, sources[number][place], isAC: number >= 4)
        }
        return nil
    }
}

/// Decoding step: one code and its number, or several of them.
struct HuffmanStep {
    /// Length, skip and size in one byte each, so that one load reads all.
    private let word: UInt32

    /// Added to ``skip`` if the step ends the block; larger than any block.
    static let end = 128
    /// No code; its skip leaves any block without ending it.
    static let none = HuffmanStep(length: 0, skip: 64, size: 0)

    private init(length: Int, skip: Int, size: Int) { word = UInt32(length) | UInt32(skip) << 8 | UInt32(size) << 16 }

    /// Step of a DC or AC code (ITU-T T.81, F.1.2.2); nil for an invalid value.
    init?(code length: Int, _ value: UInt8, isAC: Bool) {
        let size = Int(isAC ? value & 15 : value)
        guard size <= 15, !isAC || size > 0 || value == 0 || value == 0xF0 else { return nil }
        self.init(length: length + size, skip: isAC && value != 0 ? Int(value >> 4) + 1 : Self.end, size: size)
    }

    /// Total bits of all codes and numbers, at most 31; 0 for no code.
    var length: Int { Int(word & 63) }
    /// Number of coefficients that AC codes advance by, plus ``end`` if the last one ends the block.
    var skip: Int { Int(word >> 8 & 255) }
    /// Size of the largest number, in bits.
    var size: Int { Int(word >> 16) }
    /// Bits of the code itself; only for steps of one code.
    var codeLength: Int { length - size }

    func followed(by next: HuffmanStep) -> HuffmanStep {
        HuffmanStep(length: length + next.length, skip: skip + next.skip, size: max(size, next.size))
    }
}

/// Huffman tables implied by a Motion JPEG picture without any (ITU-T T.81, Annex K.3.3).
enum StandardHuffmanTables {
    static let segment: [UInt8] = {
        let tables = lumaDC + lumaAC + chromaDC + chromaAC
        let length = tables.count + 2
        return [0xFF, 0xC4, UInt8(length >> 8), UInt8(length & 0xFF)] + tables
    }()

    // Format of each table: class and number, 16 code counts by length, values in code order.

    /// Table K.3: luma DC.
    private static let lumaDC: [UInt8] = [
        0x00,
        0x00, 0x01, 0x05, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B,
    ]

    /// Table K.5: luma AC.
    private static let lumaAC: [UInt8] = [
        0x10,
        0x00, 0x02, 0x01, 0x03, 0x03, 0x02, 0x04, 0x03, 0x05, 0x05, 0x04, 0x04, 0x00, 0x00, 0x01, 0x7D,
        0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22, 0x71,
        0x14, 0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42, 0xB1, 0xC1, 0x15, 0x52, 0xD1, 0xF0, 0x24, 0x33, 0x62, 0x72,
        0x82, 0x09, 0x0A, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x34, 0x35, 0x36, 0x37,
        0x38, 0x39, 0x3A, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59,
        0x5A, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A, 0x83,
        0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9A, 0xA2, 0xA3,
        0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB7, 0xB8, 0xB9, 0xBA, 0xC2, 0xC3,
        0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA, 0xE1, 0xE2,
        0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0xFA,
    ]

    /// Table K.4: chroma DC.
    private static let chromaDC: [UInt8] = [
        0x01,
        0x00, 0x03, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B,
    ]

    /// Table K.6: chroma AC.
    private static let chromaAC: [UInt8] = [
        0x11,
        0x00, 0x02, 0x01, 0x02, 0x04, 0x04, 0x03, 0x04, 0x07, 0x05, 0x04, 0x04, 0x00, 0x01, 0x02, 0x77,
        0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61, 0x71, 0x13, 0x22,
        0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xA1, 0xB1, 0xC1, 0x09, 0x23, 0x33, 0x52, 0xF0, 0x15, 0x62, 0x72, 0xD1,
        0x0A, 0x16, 0x24, 0x34, 0xE1, 0x25, 0xF1, 0x17, 0x18, 0x19, 0x1A, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x35, 0x36,
        0x37, 0x38, 0x39, 0x3A, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58,
        0x59, 0x5A, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A,
        0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9A,
        0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB7, 0xB8, 0xB9, 0xBA,
        0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA,
        0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0xFA,
    ]
}
