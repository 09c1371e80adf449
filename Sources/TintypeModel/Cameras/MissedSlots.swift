// SPDX-License-Identifier: Apache-2.0

/// Slots of a schedule, one after the other, in which no frame was published.
package struct MissedSlots: Hashable, Sendable, Codable {
    package var first: Timestamp
    package var last: Timestamp
    package var count: UInt64
    /// Why, as a word: a key of ``PublishingStatus/missed``.
    package var reason: String
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

extension MissedSlots: WireObject {
    package static let summary = "Consecutive slots of a schedule in which no frame was published."

    package static let fields: [Field] = [
        Field("first", \.first, "The time at which the first of them was due."),
        Field("last", \.last, "The last of these changes."),
        Field("count", \.count, "The number of slots.", .positive),
        Field("reason", \.reason, "The reason, in a word: a key of missed."),
        Field("detail", \.detail, "The reason, in a sentence."),
    ]
}
