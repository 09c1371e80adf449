// SPDX-License-Identifier: Apache-2.0

extension Warmth: TextCodable, WireType {
    /// What is said of any other text.
    package static let refusal = "is none of hot, cold and linger with a duration"
}
