// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// What the system says of an error number, for the middle of a sentence.
package enum ErrnoText {
    /// The text of strerror_r(3), beginning with a small letter, as in `no such file or directory`; `error N` where the
    /// C library has none.
    package static func of(_ code: Int32) -> String {
        let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress, unsafe strerror_r(code, base, buffer.count) == 0 else {
                return "error \(code)"
            }
            return unsafe String(cString: base)
        }
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
