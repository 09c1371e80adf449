// SPDX-License-Identifier: Apache-2.0
internal import CCrypto

/// SHA-256 (FIPS 180-4) by OpenSSL.
package enum SHA256 {
    /// The digest of `bytes` in lower-case digits of 16, by EVP_Digest(3).
    package static func text(_ bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        let isDone = unsafe bytes.withUnsafeBytes { bytes in
            unsafe EVP_Digest(bytes.baseAddress, bytes.count, &digest, nil, EVP_sha256(), nil)
        }
        // It fails where there is no memory, or where OpenSSL was set up to have no SHA-256.
        precondition(isDone == 1, "OpenSSL has no SHA-256: EVP_Digest failed. Correct openssl.cnf(5)")
        return Hexadecimal.text(digest)
    }
}
