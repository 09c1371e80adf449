// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// JSON for stdout and stderr: exact for programs, and safe on a terminal.
enum JSONText {
    /// `value` as ``WireFormat`` encodes it, with the characters as `\uXXXX` that a terminal would obey (RFC 8259, 7).
    static func encode(_ value: some Encodable, pretty: Bool = true) throws -> [UInt8] {
        let json = try WireFormat.encode(value, pretty: pretty)
        // Of ASCII the encoder leaves DEL alone, and newlines that are its own.
        guard json.contains(where: { $0 >= 0x7F }) else { return json }
        var text = ""
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            if scalar == "\n" || PrintableText.isSafe(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                for unit in UTF16.encode(scalar) ?? .init() {
                    let digits = String(unit, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return Array(text.utf8)
    }
}
