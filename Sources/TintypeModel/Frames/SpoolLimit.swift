// SPDX-License-Identifier: Apache-2.0

/// What the file system of a spool can promise, where that is less than ``Durability/full``.
package struct SpoolLimit: Hashable, Sendable, Codable {
    package var durability: Durability
    package var sentence: String

    /// A limit of these parts.
    package init(durability: Durability, sentence: String) {
        self.durability = durability
        self.sentence = sentence
    }
}

extension SpoolLimit: WireObject {
    package static let summary = "The promises of the spool's file system, where it cannot keep durability full."

    package static let fields: [Field] = [
        Field("durability", \.durability, "The highest durability that it keeps."),
        Field("sentence", \.sentence, "The reason and the remedy."),
    ]
}
