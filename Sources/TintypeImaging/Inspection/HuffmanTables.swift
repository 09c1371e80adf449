// SPDX-License-Identifier: Apache-2.0

/// The Huffman tables that a picture has brought so far, ready to be looked up (DHT; ITU-T T.81, Annex C and F.2.2.3).
struct HuffmanTables {
    /// Codes of up to this many bits are found by one look.
    static let lookBits = 10
    private static let lookCount = 1 << lookBits
    /// Four DC and four AC tables.
    private static let count = 8

    /// For each table and the next bits of the data what ``Step`` says; ``Step/none`` where the code is longer or none.
    private(set) var look = [Step](repeating: .none, count: count * lookCount)
    /// For each table and length of code, 0 to 16: the first code behind those of that length, in 16 bits from the left.
    private(set) var limits = [Int32](repeating: 0, count: count * 17)
    /// For each table and length: what, added to a code of that length, gives its place in ``values``.
    private(set) var places = [Int32](repeating: 0, count: count * 17)
    /// For each table its 256 values, in the order of their codes.
    private(set) var values = [UInt8](repeating: 0, count: count * 256)
    private var known: UInt8 = 0

    /// What one code of the data stands for.
    struct Step {
        /// The bits of the code and of the number behind it; 0 for no code.
        let length: UInt8
        /// The bits of the number.
        let size: UInt8
        /// By how many coefficients an AC code goes on; ``end`` for the end of a block.
        let skip: UInt8

        /// More than any block has.
        static let end: UInt8 = 128
        static let none = Step(length: 0, size: 0, skip: 0)

        private init(length: UInt8, size: UInt8, skip: UInt8) {
            self.length = length
            self.size = size
            self.skip = skip
        }

        /// The value of a code of a DC table, or of an AC table (F.1.2.2); nil where there is no such value.
        init?(code length: Int, _ value: UInt8, isAC: Bool) {
            let size = isAC ? value & 15 : value
            guard size <= 15, !isAC || size > 0 || value == 0 || value == 0xF0 else { return nil }
            self.length = UInt8(length) + size
            self.size = size
            skip = isAC && value != 0 ? value >> 4 + 1 : Self.end
        }
    }

    /// The tables that Motion JPEG without any means.
    static let standard: HuffmanTables = {
        var tables = HuffmanTables()
        let bytes = StandardHuffmanTables.segment
        let segment = JPEGSegment(marker: .huffmanTables, offset: 0, body: 4..<bytes.count)
        // They are a constant, and a test reads a picture by them.
        _ = try? unsafe tables.read(segment, in: bytes.span.bytes)
        return tables
    }()

    /// The number of a table among all: DC before AC.
    static func number(isAC: Bool, _ table: Int) -> Int { (isAC ? 4 : 0) + table }

    /// Where the entries of a table begin in ``look``.
    static func lookOffset(_ number: Int) -> Int { number * lookCount }

    /// Whether there is a table of this number.
    func has(_ number: Int) -> Bool { known >> number & 1 == 1 }

    /// Takes all tables of a segment.
    mutating func read(_ segment: JPEGSegment, in bytes: RawSpan) throws(ImagingError) {
        var place = segment.body.lowerBound
        while place < segment.body.upperBound {
            guard place + 17 <= segment.body.upperBound else { throw Self.damage(segment) }
            let first = bytes.byte(at: place)
            let counts = (1...16).map { Int(bytes.byte(at: place + $0)) }
            let total = counts.reduce(0, +)
            guard first >> 4 <= 1, first & 15 <= 3, total <= 256, place + 17 + total <= segment.body.upperBound else {
                throw Self.damage(segment)
            }
            let number = Self.number(isAC: first >> 4 == 1, Int(first & 15))
            for index in 0..<total { values[number * 256 + index] = bytes.byte(at: place + 17 + index) }
            guard assign(counts, to: number) else { throw Self.damage(segment) }
            known |= 1 << number
            place += 17 + total
        }
    }

    /// Gives the values their codes; false where there are more of a length than there can be.
    private mutating func assign(_ counts: [Int], to number: Int) -> Bool {
        let base = Self.lookOffset(number)
        for index in base..<base + Self.lookCount { look[index] = .none }
        var (code, index) = (0, 0)
        for length in 1...16 {
            places[number * 17 + length] = Int32(index - code)
            for _ in 0..<counts[length - 1] {
                guard code < 1 << length else { return false }
                let step = Step(code: length, values[number * 256 + index], isAC: number >= 4)
                if length <= Self.lookBits, let step {
                    let start = base + code << (Self.lookBits - length)
                    for place in start..<start + 1 << (Self.lookBits - length) { look[place] = step }
                }
                code += 1
                index += 1
            }
            limits[number * 17 + length] = Int32(code << (16 - length))
            code <<= 1
        }
        return true
    }

    /// What the code stands for that `bits` begins with, whatever its length; nil if there is none.
    func find(_ bits: Int32, in number: Int) -> Step? {
        for length in 1...16 where bits < limits[number * 17 + length] {
            let place = Int(bits >> Int32(16 - length) + places[number * 17 + length])
            guard (0..<256).contains(place) else { return nil }
            return Step(code: length, values[number * 256 + place], isAC: number >= 4)
        }
        return nil
    }

    private static func damage(_ segment: JPEGSegment) -> ImagingError {
        .notJPEG("the Huffman tables (DHT) at byte \(segment.offset) are damaged")
    }
}
