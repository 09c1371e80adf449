// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

package enum PatternDamage: CaseIterable, Hashable, Sendable {
    /// `V4L2_BUF_FLAG_ERROR` is set.
    case flagged
    /// `bytesused` is smaller than a picture.
    case short
    /// `sequence` is that of the previous frame.
    case repeated
    /// The JPEG lacks SOI.
    case start
    /// The JPEG lacks its quantisation tables (DQT).
    case tables
    /// The frame header (SOF) has a wrong size.
    case size
    /// The JPEG lacks its scan header (SOS).
    case scan
    /// The JPEG has no entropy-coded data.
    case data
    /// The JPEG ends in the middle of its entropy-coded data.
    case cut
    /// The JPEG lacks EOI.
    case end
    /// Lost USB packet: 512 to 3072 bytes missing inside the entropy-coded data, at most half of it.
    case packet

    package struct Share: Hashable, Sendable {
        /// In percent.
        package var percent: Int
        package var seed: UInt64

        /// Determined by seed and number, so that a reader of the pictures can compute it, too.
        package func damage(to number: UInt64, isJPEG: Bool) -> PatternDamage? {
            let dice = PatternDamage.mix(seed &* 0x1000_0000_01B3 ^ number)
            guard Int(dice % 100) < percent else { return nil }
            let ways = PatternDamage.allCases.prefix(isJPEG ? PatternDamage.allCases.count : 3)
            return ways[Int(dice / 100 % UInt64(ways.count))]
        }
    }

    /// SplitMix64.
    private static func mix(_ number: UInt64) -> UInt64 {
        var mixed = number &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Nil if the bytes do not change.
    func applied(to jpeg: [UInt8], throw number: UInt64) -> [UInt8]? {
        let segments = Self.segments(of: jpeg)
        guard let start = segments.last?.range.upperBound else { return nil }
        let data = start..<max(start, jpeg.count - 2)
        var copy = jpeg
        switch self {
        case .flagged, .short, .repeated: return nil
        case .start: copy.removeFirst(2)
        case .tables: copy = Self.without(0xDB, jpeg)
        case .size:
            guard let frame = segments.first(where: { $0.marker == 0xC0 })?.range else { return nil }
            copy[frame.lowerBound + 6] ^= 16
        case .scan: copy = Self.without(0xDA, jpeg)
        case .data: copy.removeSubrange(data)
        case .cut: copy.removeSubrange(start + data.count * 2 / 3..<jpeg.count)
        case .end: copy.removeLast(2)
        case .packet:
            let dice = Self.mix(~number)
            let length = min(512 + Int(dice % 2561), data.count / 2)
            let place = start + Int(dice / 2561 % UInt64(max(1, data.count - length)))
            copy.removeSubrange(place..<place + length)
        }
        return copy
    }

    static func with(_ quirk: PictureQuirk, _ jpeg: [UInt8]) -> [UInt8] {
        switch quirk {
        // It is drawn so.
        case .largerSize: return jpeg
        case .missingEnd: return Array(jpeg.dropLast(2))
        case .surplusBytes: return jpeg.dropLast(2) + [UInt8](repeating: 0x55, count: 9) + jpeg.suffix(2)
        case .decoderWarning:
            // An Adobe APP14 segment with an invalid transform, and no JFIF segment.
            let adobe: [UInt8] = [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 9]
            return jpeg.prefix(2) + adobe + without(0xE0, jpeg).dropFirst(2)
        }
    }

    static func without(_ marker: UInt8, _ jpeg: [UInt8]) -> [UInt8] {
        var copy = jpeg
        for segment in segments(of: jpeg).reversed() where segment.marker == marker {
            copy.removeSubrange(segment.range)
        }
        return copy
    }

    /// Segments from SOI up to and including SOS, as written by our encoder.
    private static func segments(of jpeg: [UInt8]) -> [(marker: UInt8, range: Range<Int>)] {
        var found: [(UInt8, Range<Int>)] = []
        var at = 2
        while at + 4 <= jpeg.count, jpeg[at] == 0xFF {
            let marker = jpeg[at + 1]
            let end = min(jpeg.count, at + 2 + Int(jpeg[at + 2]) << 8 + Int(jpeg[at + 3]))
            found.append((marker, at..<end))
            at = end
            if marker == 0xDA { break }
        }
        return found
    }
}
