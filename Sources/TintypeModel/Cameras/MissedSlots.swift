// SPDX-License-Identifier: Apache-2.0

/// Slots of a schedule, one after the other, in which no frame was published.
package struct MissedSlots: Hashable, Sendable, Codable {
    /// The first of them: when it was due.
    package var first: Timestamp
    /// The last of them.
    package var last: Timestamp
    /// How many there are.
    package var count: UInt64
    /// Why, as a word: a key of ``PublishingStatus/missed``.
    package var reason: String
    /// Why, as a sentence.
    package var detail: String

    /// A run of `count` slots from `first` to `last`.
    package init(first: Timestamp, last: Timestamp, count: UInt64, reason: String, detail: String) {
        self.first = first
        self.last = last
        self.count = count
        self.reason = reason
        self.detail = detail
    }
}
