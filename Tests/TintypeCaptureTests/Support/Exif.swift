// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// EXIF data of pictures, read by exiftool and edited byte by byte.
enum Exif {
    /// All tags that exiftool reads, with numeric values; its warnings and errors are issues.
    static func tags(of picture: [UInt8]) throws -> [String: String] {
        let reply = try inTemporaryFolder { folder in
            let path = "\(folder)/picture.jpg"
            try Data(picture).write(to: URL(filePath: path))
            return try ProgramOutput(of: [
                "exiftool", "-json", "-n", "-a", "-validate", "-warning", "-error", "-all", path,
            ])
        }
        let list = try JSONSerialization.jsonObject(with: Data(reply.bytes)) as? [[String: Any]]
        let tags = try #require(list?.first).mapValues { "\($0)" }
        #expect(tags["Warning"] == nil && tags["Error"] == nil && tags["Validate"] == "0 0 0", "\(tags)")
        return tags
    }

    /// The picture without APP1 segments, because EXIF data differ between stills of the same picture.
    static func removed(from picture: [UInt8]) -> [UInt8] {
        var (kept, offset) = (Array(picture.prefix(2)), 2)
        while offset + 4 <= picture.count, picture[offset] == 0xFF, picture[offset + 1] != 0xDA {
            let end = min(offset + 2 + Int(picture[offset + 2]) << 8 + Int(picture[offset + 3]), picture.count)
            if picture[offset + 1] != 0xE1 { kept += picture[offset..<end] }
            offset = end
        }
        return kept + picture[offset...]
    }

    /// A camera picture with make, model and orientation: three entries of IFD0 and the text that does not fit into its
    /// entry (TIFF 6.0, section 2).
    static func added(to picture: [UInt8], make: String, model: String, orientation: UInt8) -> [UInt8] {
        precondition(make.utf8.count > 3 && model.utf8.count == 3, "where the texts stand depends on their lengths")
        func number(_ value: Int, bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(value >> (8 * $0) & 255) } }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            number(tag, bytes: 2) + number(type, bytes: 2) + number(count, bytes: 4) + value
        }
        let text = Array(make.utf8) + [0]
        var data = Array("Exif\0\0II*\0".utf8) + number(8, bytes: 4) + number(3, bytes: 2)
        data += entry(0x010F, 2, text.count, number(8 + 2 + 3 * 12 + 4, bytes: 4))
        data += entry(0x0110, 2, 4, Array(model.utf8) + [0])
        data += entry(0x0112, 3, 1, [orientation, 0, 0, 0])
        data += number(0, bytes: 4) + text
        let length = data.count + 2
        let head: [UInt8] = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)]
        return Array(picture.prefix(2)) + head + data + Array(picture.dropFirst(2))
    }
}
