// SPDX-License-Identifier: Apache-2.0

extension RawSpan {
    /// The byte at an offset that must lie inside; outside it traps.
    func byte(_ offset: Int) -> Int { unsafe Int(unsafeLoad(fromByteOffset: offset, as: UInt8.self)) }
}
