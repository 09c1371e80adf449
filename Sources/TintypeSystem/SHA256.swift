// SPDX-License-Identifier: Apache-2.0
internal import CCrypto

/// SHA-256 (FIPS 180-4) by OpenSSL.
package enum SHA256 {
    /// Lower-case hexadecimal digits (EVP_Digest(3)).
    package static func text(_ bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        let isDone = unsafe bytes.withUnsafeBytes { bytes in
            unsafe EVP_Digest(bytes.baseAddress, bytes.count, &digest, nil, EVP_sha256(), nil)
        }
        // Fails if out of memory, or if OpenSSL is configured without SHA-256.
        precondition(isDone == 1, "OpenSSL has no SHA-256: EVP_Digest failed. Correct openssl.cnf(5)")
        return Hexadecimal.text(digest)
    }

    /// Checksum of bytes that come in parts (EVP_DigestInit_ex(3)).
    @safe package struct Running: ~Copyable {
        private let context = unsafe EVP_MD_CTX_new()

        package init() {
            let isBegun = unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil)
            precondition(isBegun == 1, "OpenSSL has no SHA-256: EVP_DigestInit_ex failed. Correct openssl.cnf(5)")
        }

        package mutating func add(_ bytes: [UInt8]) {
            unsafe bytes.withUnsafeBytes { bytes in
                _ = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
            }
        }

        package consuming func text() -> String {
            var digest = [UInt8](repeating: 0, count: 32)
            unsafe EVP_DigestFinal_ex(context, &digest, nil)
            return Hexadecimal.text(digest)
        }

        deinit { unsafe EVP_MD_CTX_free(context) }
    }
}

package enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    package static func text(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
