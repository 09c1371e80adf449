// SPDX-License-Identifier: Apache-2.0

/// The Huffman tables of a picture, ready to be looked up (DHT; ITU-T T.81, Annex C and F.2.2.3).
///
/// They are kept from one picture to the next, because cameras send the same ones with each. A picture that brings none
/// means the standard ones, as in Motion JPEG.
struct HuffmanTables {
    /// Codes of up to this many bits are found by one look.
    static let lookBits = 11
    private static let lookCount = 1 << lookBits
    /// Four DC and four AC tables.
    private static let count = 8

    /// For each table and the next bits of the data the step of their first code; ``HuffmanStep/none`` where that is
    /// longer, or where there is none.
    private(set) var single = [HuffmanStep](repeating: .none, count: count * lookCount)
    /// The same for AC tables, with all codes that the bits hold in one step; ``HuffmanStep/none`` where one of them has a
    /// larger number than every coefficient can have.
    private(set) var combined = [HuffmanStep](repeating: .none, count: count / 2 * lookCount)
    /// For each table and length of code, 0 to 16: the first code behind those of that length, in 16 bits from the left.
    private var limits = [Int32](repeating: 0, count: count * 17)
    /// For each table and length: what, added to a code of that length, gives its place among the values.
    private var places = [Int32](repeating: 0, count: count * 17)
    /// For each table what it was built of, as a segment has it: 16 counts of codes, and the values in the order of their
    /// codes.
    private var sources = [[UInt8]](repeating: [], count: count)
    /// For each AC table the bits of the largest numbers in ``combined``; 0 where it is not made yet.
    private var largest = [Int](repeating: 0, count: count / 2)
    /// A bit for each table that the picture has.
    private var known: UInt8 = 0

    /// The number of a table among all: DC before AC.
    static func number(isAC: Bool, _ table: Int) -> Int { (isAC ? 4 : 0) + table }

    /// Where the entries of a table begin in ``single``.
    static func lookOffset(_ number: Int) -> Int { number * lookCount }

    /// Where the entries of an AC table begin in ``combined``.
    static func combinedOffset(_ number: Int) -> Int { (number - 4) * lookCount }

    /// Begins a picture: it has no tables yet.
    mutating func begin() { known = 0 }

    /// Whether the picture has a table of this number; one without any table has the standard ones from now on.
    mutating func has(_ number: Int) -> Bool {
        if known == 0 { readStandard() }
        return known >> number & 1 == 1
    }

    /// Takes the standard tables.
    private mutating func readStandard() {
        let bytes = StandardHuffmanTables.segment
        // They are a constant, and a test reads a picture by them.
        try? read(JPEGSegment(.huffmanTables, at: 0, bytes.rawSpan.extracting(droppingFirst: 4)))
    }

    /// Takes all tables of a segment.
    mutating func read(_ segment: JPEGSegment) throws(ImagingError) {
        var rest = segment.payload
        while rest.byteCount > 0 {
            let first = rest.byte(at: 0)
            let total = rest.byteCount > 16 ? (1...16).reduce(0) { $0 + Int(rest.byte(at: $1)) } : .max
            guard first >> 4 <= 1, first & 15 <= 3, total <= 256, 17 + total <= rest.byteCount else {
                throw Self.damage(segment)
            }
            let number = Self.number(isAC: first >> 4 == 1, Int(first & 15))
            guard build(number, of: rest.extracting(1..<17 + total)) else { throw Self.damage(segment) }
            known |= 1 << number
            rest = rest.extracting(droppingFirst: 17 + total)
        }
    }

    /// Builds a table, unless it is there already; false where its codes do not fit or mean nothing.
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
                // As libjpeg: no code is all ones (C.2), and no DC number has more than 15 bits.
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

    /// Makes the combined steps of an AC table, with numbers of up to `size` bits: as many codes in one step as there are
    /// whole ones in the bits that are looked at.
    mutating func combine(_ number: Int, upTo size: Int) {
        guard largest[number - 4] != size else { return }
        let base = Self.lookOffset(number)
        for look in 0..<Self.lookCount {
            var step = single[base + look]
            // No step goes on by more than the 64 coefficients of a block.
            while step.length > 0, step.length < Self.lookBits, step.skip <= 48 {
                let next = single[base + (look << step.length) & (Self.lookCount - 1)]
                guard next.length > 0, next.codeLength <= Self.lookBits - step.length, next.size <= size else { break }
                step = step.followed(by: next)
            }
            combined[Self.combinedOffset(number) + look] = step.size <= size ? step : .none
        }
        largest[number - 4] = size
    }

    /// The step of the code of any length that `bits` begins with; nil if there is none.
    func find(_ bits: Int32, in number: Int) -> HuffmanStep? {
        for length in 1...16 where bits < limits[number * 17 + length] {
            let place = 16 + Int(bits >> Int32(16 - length) + places[number * 17 + length])
            guard place >= 16, place < sources[number].count else { return nil }
            return HuffmanStep(code: length, sources[number][place], isAC: number >= 4)
        }
        return nil
    }

    private static func damage(_ segment: JPEGSegment) -> ImagingError {
        .notJPEG("the Huffman tables (DHT) at byte \(segment.offset) are damaged")
    }
}

/// What the next bits of the data stand for: one code with the number behind it, or several of them.
struct HuffmanStep {
    /// Length, skip and size, a byte each, so that one look reads them all.
    private let word: UInt32

    /// What ``skip`` has on top where the block ends: more than any block has.
    static let end = 128
    /// No code: it leads out of any block, and not to its end.
    static let none = HuffmanStep(length: 0, skip: 64, size: 0)

    private init(length: Int, skip: Int, size: Int) {
        word = UInt32(length) | UInt32(skip) << 8 | UInt32(size) << 16
    }

    /// The value of a code of a DC table, or of an AC table (ITU-T T.81, F.1.2.2); nil where there is no such value.
    init?(code length: Int, _ value: UInt8, isAC: Bool) {
        let size = Int(isAC ? value & 15 : value)
        guard size <= 15, !isAC || size > 0 || value == 0 || value == 0xF0 else { return nil }
        self.init(length: length + size, skip: isAC && value != 0 ? Int(value >> 4) + 1 : Self.end, size: size)
    }

    /// The bits of all codes and numbers, at most 31; 0 for no code.
    var length: Int { Int(word & 63) }
    /// By how many coefficients AC codes go on; ``end`` more where the last one ends the block.
    var skip: Int { Int(word >> 8 & 255) }
    /// The bits of the largest number.
    var size: Int { Int(word >> 16) }
    /// The bits of the code itself, of a step of one code.
    var codeLength: Int { length - size }

    /// The step of the codes of both.
    func followed(by next: HuffmanStep) -> HuffmanStep {
        HuffmanStep(length: length + next.length, skip: skip + next.skip, size: max(size, next.size))
    }
}
