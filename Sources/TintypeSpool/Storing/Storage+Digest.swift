// SPDX-License-Identifier: Apache-2.0
internal import Crypto

extension Storage {
    /// Lower-case hexadecimal SHA-256 (FIPS 180-4).
    static func digest(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(64)
        for byte in SHA256.hash(data: bytes) {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
