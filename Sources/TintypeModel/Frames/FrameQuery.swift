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
        Field(
            "after",
            \.after,
            """
            Only frames stored after the one with this number, in the order of storing; 0 for all. Ask again with after of \
            the page, which may be larger than limit. Excludes order and cursor.
            """,
            ["minimum": 0]
        ),
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
