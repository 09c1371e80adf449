// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The rows of a PAC207 frame, found without decoding them: libv4lconvert trusts their lengths.
///
/// Each row begins with two bytes that say how it is coded. Source: the format's decoder in v4l-utils, which is its only
/// documentation.
enum PAC207Rows {
    /// What is wrong with the rows, beginning with a small letter; nil if all of them lie in the frame.
    static func objection(to bytes: RawSpan, size: FrameSize) -> String? {
        var at = 0
        for row in 0..<size.height {
            guard at + 2 <= bytes.byteCount else { return "it ends before row \(row) of \(size.height)" }
            switch bytes.byte(at) << 8 | bytes.byte(at + 1) {
            case 0x0FF0: at += 2 + size.width
            case 0x1EE1: at += length(in: bytes, from: at, width: size.width, absoluteBits: 6)
            case 0x2DD2: at += length(in: bytes, from: at, width: size.width, absoluteBits: 5)
            case 0x3CC3: at += length(in: bytes, from: at, width: size.width, absoluteBits: 4)
            // The row two above it again, which the first two rows do not have.
            case 0x4BB4 where row >= 2: at += 2
            default: return "row \(row) begins with none of the marks that it can begin with"
            }
            guard at <= bytes.byteCount else { return "it ends within row \(row) of \(size.height)" }
        }
        return nil
    }

    /// The bytes of a coded row: its mark, two pixels as they are, a code for each further one, up to a whole word.
    private static func length(in bytes: RawSpan, from start: Int, width: Int, absoluteBits: Int) -> Int {
        var bit = 32
        for _ in 2..<max(2, width) {
            let at = start + bit / 8
            guard at < bytes.byteCount else { return bytes.byteCount + 1 }
            let next = at + 1 < bytes.byteCount ? bytes.byte(at + 1) : 0
            let code = UInt8(truncatingIfNeeded: (bytes.byte(at) << 8 | next) >> (8 - bit % 8))
            switch code {
            case 0x00...0xBF: bit += 2
            case 0xC0...0xDF: bit += 4
            case 0xE0...0xEF: bit += 5
            case 0xF0...0xF7: bit += 6
            default: bit += 5 + absoluteBits
            }
        }
        return 2 * ((bit + 15) / 16)
    }
}
