// SPDX-License-Identifier: Apache-2.0

/// Counts with a noun in the right number: `1 picture`, `3 pictures`.
package enum CountText {
    /// `many` is by default `one` with an s.
    package static func text(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
        "\(count) \(count == 1 ? one : many ?? one + "s")"
    }
}
