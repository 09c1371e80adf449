// SPDX-License-Identifier: Apache-2.0

package struct FrameQuery: Hashable, WireObject, WireRequest {
    package var filter = FrameFilter.everything
    package var order = FrameOrder.newest
    package var limit = 100
    package var cursor: FrameCursor?
    package var after: Int?
    package var spool: String?
    package init() {}

    package init(
        filter: FrameFilter = .everything,
        order: FrameOrder = .newest,
        limit: Int = 100,
        cursor: FrameCursor? = nil,
        after: Int? = nil,
        spool: String? = nil
    ) {
        (self.filter, self.order, self.limit) = (filter, order, limit)
        (self.cursor, self.after, self.spool) = (cursor, after, spool)
    }

    package static let limitRange = 1...1000
    package static let summary = "The frames of a page."
    package static let fields: [Field] = [
        Field("where", \.filter, "The frames; missing for all.", isRequired: false),
        Field("order", \.order, "The order of the frames.", ["default": "newest"]),
        Field("limit", \.limit, "The largest number of frames on a page.", .range(limitRange).defaulting(to: 100)),
        Field("cursor", \.cursor, "The field next of the previous page, valid while frames come and go."),
        Field("after", \.after, "Frames stored after this number, in order; excludes order and cursor.", .notNegative),
        Field("spool", \.spool, "The name of a spool; missing for all. Required with after if there are several."),
    ]

    package mutating func check(_ given: [String: FieldValue]) throws(Problem) {
        try given.refuse("after", with: "order", "cursor")
        guard cursor.map({ $0.order == order }) ?? true else {
            let remedy = "Ask for the order of the page that it is from, or leave it out."
            throw .invalid(field: "cursor", "is of a list in another order.", remedy: remedy)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try encodeFields(to: encoder, without: after == nil ? [] : ["order"])
    }
}

/// Position behind the last frame of a page; stays valid while frames are added or deleted: every remaining frame is
/// listed exactly once.
package struct FrameCursor: Hashable, Sendable, TextCodable, WireType {
    package let order: FrameOrder
    /// Last listed frame; may have been deleted since.
    package let last: FrameID
    package init(_ order: FrameOrder, after last: FrameID) { (self.order, self.last) = (order, last) }
    package var description: String { "\(order.rawValue.prefix(1))\(last.description.filter { $0 != "-" })" }

    package static func fault(in value: FieldValue, by schema: OrderedJSON) -> (wrong: String, remedy: String) {
        ("is not the cursor of a page of frames.", "Use the field next of a page as it is, or leave it out.")
    }

    package init?(_ text: String) {
        guard
            let order = FrameOrder.allCases.first(where: { $0.rawValue.first == text.first }),
            let last = FrameID(undashed: text.dropFirst())
        else { return nil }
        self.init(order, after: last)
    }
}

extension FrameID {
    /// Parses 32 lowercase hexadecimal digits without dashes.
    fileprivate init?(undashed digits: Substring) {
        guard digits.utf8.count == 32, digits.allSatisfy({ "0123456789abcdef".contains($0) }),
            let high = UInt64(digits.prefix(16), radix: 16), let low = UInt64(digits.dropFirst(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }
}

/// Order of a list of frames by ID, which begins with the start of exposure in milliseconds.
package enum FrameOrder: String, Hashable, Sendable, Codable, CaseIterable, WireType {
    case newest, oldest
}

/// Times between which frames are counted, and the filter of these frames.
package struct FrameSpanQuery: Hashable, WireRequest {
    package var filter = FrameFilter.everything
    /// Ascending, in whole milliseconds like frame IDs; ``countRange`` of them.
    package var times: [Timestamp] = []
    package static let countRange = 2...400
    package init() {}
    package init(filter: FrameFilter = .everything, times: [Timestamp]) { (self.filter, self.times) = (filter, times) }
    package var spans: [Range<Timestamp>] { zip(times, times.dropFirst()).map { $0..<$1 } }
    package static let fields: [WireField<Self>] = [
        WireField("where", \.filter, "The frames; missing for all.", isRequired: false),
        WireField(
            "times",
            of: [String].schema,
            """
            The ascending times between which frames are counted, with a comma between two: as in RFC 3339, or in \
            milliseconds since 1970. Parts of a millisecond are ignored.
            """,
            ["minItems": .integer(countRange.lowerBound), "maxItems": .integer(countRange.upperBound)],
            isRequired: true
        ),
    ]

    package mutating func check(_ given: [String: FieldValue]) throws(Problem) {
        let range = "\(Self.countRange.lowerBound) to \(Self.countRange.upperBound)"
        guard let times = Self.times(given["times"]?.words ?? []) else {
            let remedy = "Give times such as 2026-11-30T00:00:00Z,2026-12-01T00:00:00Z, or milliseconds since 1970."
            let wrong = given["times"] == nil ? "is missing." : "is no ascending list of \(range) times."
            throw .invalid(field: "times", wrong, remedy: remedy)
        }
        self.times = times
    }

    private static func times(_ texts: [String]) -> [Timestamp]? {
        let times = texts.compactMap { text -> Timestamp? in
            let milliseconds = Int64(text) ?? HumanTime.parse(text).map { $0.microseconds / 1000 }
            return milliseconds.flatMap { range.contains($0) ? Timestamp(microseconds: $0 * 1000) : nil }
        }
        let isAscending = zip(times, times.dropFirst()).allSatisfy { $0 < $1 }
        return times.count == texts.count && countRange.contains(times.count) && isAscending ? times : nil
    }

    /// Milliseconds of frame IDs.
    private static let range: ClosedRange<Int64> = 0...(1 << 48 - 1)
}

package struct FrameSpan: Equatable, Codable, WireObject {
    package var from: Timestamp
    package var to: Timestamp
    package var frames: Int
    package var newest: FrameID

    package init(from: Timestamp, to: Timestamp, frames: Int, newest: FrameID) {
        (self.from, self.to, self.frames, self.newest) = (from, to, frames, newest)
    }

    package static let summary = "The frames between two times."
    package static let fields: [Field] = [
        Field("from", \.from, "The first time; a frame of this time counts."),
        Field("to", \.to, "The second time; a frame of this time counts in the next span."),
        Field("frames", \.frames, "The number of frames.", .positive),
        Field("newest", \.newest, "The id of the newest frame."),
    ]
}

package struct FrameSpanList: Equatable, Codable, WireObject {
    package var spans: [FrameSpan]
    package var unavailable: [String]?

    package init(spans: [FrameSpan], unavailable: [String]? = nil) {
        (self.spans, self.unavailable) = (spans, unavailable)
    }

    package static let summary = "The numbers of frames between times."
    package static let fields: [Field] = [
        Field("spans", \.spans, "In the order of the times, without those that have no frame."),
        Field("unavailable", \.unavailable, "Spools that did not answer, whose frames are left out; missing for none."),
    ]
}
