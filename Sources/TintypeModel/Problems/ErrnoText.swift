// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Message of an errno value for use inside a sentence.
package enum ErrnoText {
    /// Text of strerror_r(3) with a lowercase initial, as in `no such file or directory`; `error N` for an unknown
    /// number.
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
