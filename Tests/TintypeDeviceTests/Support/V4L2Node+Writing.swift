// SPDX-License-Identifier: Apache-2.0
@testable import TintypeDevice

extension V4L2Node {
    /// Writes `text` into a fixed-size C array, cut where that is too short, with a NUL behind it.
    static func write<T>(_ text: String, to array: inout T) {
        unsafe withUnsafeMutableBytes(of: &array) { bytes in
            unsafe bytes.copyBytes(from: Array(text.utf8.prefix(bytes.count - 1)) + [0])
        }
    }
}
