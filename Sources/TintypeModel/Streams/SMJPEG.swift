// SPDX-License-Identifier: Apache-2.0

/// SMJPEG: JPEG pictures with their times in milliseconds, in the form that demuxer and muxer `smjpeg` of ffmpeg(1)
/// read and write; numbers are big-endian.
package enum SMJPEG {
    package static let headerLength = 40
    package static let frameHeaderLength = 12
    /// No picture can have a later time.
    package static let longest = Duration.milliseconds(Int64(UInt32.max))

    package static func header(_ size: FrameSize) -> [UInt8] {
        var bytes: [UInt8] = [0x00, 0x0A]
        bytes += "SMJPEG".utf8
        bytes += word(0) + word(0)
        bytes += "_VID".utf8
        bytes += word(12) + word(0)
        bytes += BigEndian.bytes(size.width, 2) + BigEndian.bytes(size.height, 2)
        bytes += "JFIFHEND".utf8
        return bytes
    }

    /// Precedes a picture of `bytes` bytes, at a time since the first one, to the nearest millisecond, up to 49 days.
    package static func frameHeader(at time: Duration, bytes: Int) -> [UInt8] {
        Array("vidD".utf8) + word(Int((time.nanosecondCount + 500_000) / 1_000_000)) + word(bytes)
    }

    /// Size in the header of a file; nil for other bytes.
    package static func size(ofHeader bytes: [UInt8]) -> FrameSize? {
        guard bytes.count >= headerLength, bytes.starts(with: [0x00, 0x0A] + Array("SMJPEG".utf8)) else { return nil }
        let (width, height) = (BigEndian.number(bytes[28..<30]), BigEndian.number(bytes[30..<32]))
        return width > 0 && height > 0 ? FrameSize(width: width, height: height) : nil
    }

    /// Time and length of the picture that follows; nil for other bytes.
    package static func frame(ofHeader bytes: [UInt8]) -> (time: Duration, bytes: Int)? {
        guard bytes.count == frameHeaderLength, bytes.starts(with: "vidD".utf8) else { return nil }
        return (.milliseconds(BigEndian.number(bytes[4..<8])), BigEndian.number(bytes[8..<12]))
    }

    private static func word(_ number: Int) -> [UInt8] { BigEndian.bytes(number, 4) }
}

package enum BigEndian {
    package static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    package static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
