// SPDX-License-Identifier: Apache-2.0

package struct FrameQuery: Hashable, WireObject, FieldsReadable, Encodable {
    package var filter: FrameFilter
    package var order: FrameOrder
    package var limit: Int
    package var cursor: FrameCursor?
    package var after: Int?
    package var spool: String?

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

    /// Reads the decoded query parameters of `GET /v1/frames`; throws `invalid-request` with the parameter's name.
    package init(query parameters: [(name: String, value: String)]) throws(Problem) {
        try self.init(in: FieldReader(query: [String: FieldValue](query: parameters, of: Self.fields)))
    }

    package static let summary = "The frames of a page."
    package static let fields: [Field] = [
        Field("where", of: FrameFilter.schema, "The frames; missing for all."),
        Field("order", \.order, "The order of the frames.", ["default": "newest"]),
        Field(
            "limit",
            \.limit,
            "The largest number of frames on a page; with after, frames of the same number are on the same page.",
            .range(limitRange).defaulting(to: 100)
        ),
        Field(
            "cursor",
            \.cursor,
            "The field next of the previous page, valid while frames come and go; missing for the first page."
        ),
        Field(
            "after",
            \.after,
            """
            Only frames that were stored after the one with this number, in the order of storing; 0 for all. Ask again \
            with after of the page. A file that the daemon takes in has the number of its time. Excludes order and \
            cursor.
            """,
            ["minimum": 0]
        ),
        Field("spool", \.spool, "The name of a spool; missing for all. Required with after if there are several."),
    ]

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case filter = "where"
        case order, limit, cursor, after, spool
    }

    package init(in fields: FieldReader<CodingKeys>) throws(Problem) {
        self.init()
        filter = try fields.value(.filter, FrameFilter.self, Self.noFilter, remedy: Self.filterRemedy) ?? filter
        order = try fields.word(.order, FrameOrder.self) ?? order
        limit = try fields.integer(.limit, in: Self.limitRange) ?? limit
        cursor = try fields.text(.cursor, "is not the cursor of a page of frames.", remedy: Self.cursorRemedy) {
            FrameCursor($0)
        }
        after = try fields.integer(.after, in: 0...Int.max)
        spool = try fields.value(.spool, String.self)
        try fields.refuse(.after, with: .order, .cursor)
        guard cursor.map({ $0.order == order }) ?? true else {
            let remedy = "Ask for the order of the page that it is from, or leave it out."
            throw .invalid(field: "cursor", "is of a list in another order.", remedy: remedy)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if filter != .everything { try container.encode(filter, forKey: .filter) }
        if after == nil { try container.encode(order, forKey: .order) }
        try container.encode(limit, forKey: .limit)
        try container.encodeIfPresent(cursor, forKey: .cursor)
        try container.encodeIfPresent(after, forKey: .after)
        try container.encodeIfPresent(spool, forKey: .spool)
    }

    private static let cursorRemedy = "Use the field next of a page as it is, or leave it out."
    static let noFilter = "is not the text of a filter."
    static let filterRemedy =
        #"Give a text such as "camera:yard, not pinned". A filter in JSON is of an older tintype: use this version's."#
}
