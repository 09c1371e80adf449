// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// The blocks before the content of a regular file in a tar archive: ustar, and a pax extended header before it where
/// the name does not fit (POSIX.1-2017, pax, "pax Interchange Format").
struct TarHeader {
    static let blockSize = 512

    /// The path of the member: not empty, relative, with `/` between its parts.
    let name: String
    /// Bytes of its content.
    let size: Int
    /// The time that the file gets; its fraction of a second is left out.
    let modified: Timestamp

    /// The blocks, a multiple of 512 bytes.
    var blocks: [UInt8] {
        if let (prefix, last) = Self.split(name) {
            return Self.block(name: last, prefix: prefix, size: size, modified: modified, kind: "0")
        }
        let record = Self.record("path", name)
        var blocks = Self.block(name: "path", prefix: "", size: record.count, modified: modified, kind: "x")
        blocks += record + Self.padding(after: record.count)
        // A reader without pax headers gets the end of the name.
        let end = String(decoding: name.utf8.suffix(100), as: Unicode.ASCII.self).replacing("\u{FFFD}", with: "_")
        return blocks + Self.block(name: end, prefix: "", size: size, modified: modified, kind: "0")
    }

    /// The zeros that fill the last block of a content of so many bytes.
    static func padding(after size: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: (blockSize - size % blockSize) % blockSize)
    }

    /// The end of an archive: two blocks of zeros.
    static let end = [UInt8](repeating: 0, count: 2 * blockSize)

    /// The name as ustar has room for it: 100 bytes, and 155 for the folders before it.
    private static func split(_ name: String) -> (prefix: String, name: String)? {
        let bytes = Array(name.utf8)
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        if bytes.count <= 100 { return ("", name) }
        // The last slash that leaves the folders short enough.
        guard let slash = bytes.prefix(156).lastIndex(of: UInt8(ascii: "/")), bytes.count - slash - 1 <= 100 else {
            return nil
        }
        let text = { (part: ArraySlice<UInt8>) in String(decoding: part, as: UTF8.self) }
        return (text(bytes[..<slash]), text(bytes[(slash + 1)...]))
    }

    /// `LENGTH KEY=VALUE`, the length being that of the whole line with its newline.
    private static func record(_ key: String, _ value: String) -> [UInt8] {
        let rest = " \(key)=\(value)\n"
        var length = rest.utf8.count
        while "\(length)".utf8.count + rest.utf8.count != length { length = "\(length)".utf8.count + rest.utf8.count }
        return Array("\(length)\(rest)".utf8)
    }

    private static func block(
        name: String,
        prefix: String,
        size: Int,
        modified: Timestamp,
        kind: Unicode.Scalar
    ) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: blockSize)
        func put(_ text: String, at offset: Int) {
            for (index, byte) in text.utf8.enumerated() { block[offset + index] = byte }
        }
        func octal(_ number: Int, _ digits: Int) -> String {
            let text = String(number, radix: 8)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        put(name, at: 0)
        put(octal(0o644, 7), at: 100)
        put(octal(0, 7), at: 108)
        put(octal(0, 7), at: 116)
        put(octal(size, 11), at: 124)
        put(octal(max(0, Int(modified.microseconds / 1_000_000)), 11), at: 136)
        put(String(repeating: " ", count: 8), at: 148)
        block[156] = UInt8(ascii: kind)
        put("ustar\u{0}00", at: 257)
        put(prefix, at: 345)
        // The sum of all bytes, with spaces where it will stand.
        let sum = block.reduce(0) { $0 + Int($1) }
        put("\(octal(sum, 6))\u{0} ", at: 148)
        return block
    }
}
