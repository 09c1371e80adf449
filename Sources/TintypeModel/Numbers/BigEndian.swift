// SPDX-License-Identifier: Apache-2.0

/// Unsigned numbers of files whose most significant byte comes first.
package enum BigEndian {
    package static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    package static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
