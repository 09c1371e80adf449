// SPDX-License-Identifier: Apache-2.0

/// The reply to `POST /v1/cameras/{camera}/stills`, or one line of it.
package struct StillList: Equatable, Codable, WireObject {
    /// The media type of a reply in lines, each a list of its own.
    package static let linesMediaType = "application/x-ndjson"

    package var stills: [StillRecord]
    package var missed: [MissedStill]?

    /// A list of `stills`.
    package init(stills: [StillRecord], missed: [MissedStill]? = nil) {
        self.stills = stills
        self.missed = missed
    }

    package static let summary = "The stills in order of capture."
    package static let fields: [Field] = [
        Field("stills", \.stills, "Their records."),
        Field(
            "missed",
            \.missed,
            """
            The stills of a burst that were not taken or not stored, in the order of the burst; absent if none is \
            missing.
            """
        ),
    ]
}

/// A still of a burst that there is not, and why.
package struct MissedStill: Equatable, Codable, WireObject {
    package var index: Int
    package var code: ProblemCode
    package var detail: String

    /// The still `index`, missed for `problem`.
    package init(index: Int, _ problem: Problem) {
        self.index = index
        code = problem.code
        detail = problem.detail
    }

    package static let summary = "A missing still of a burst, with the reason."
    package static let fields: [Field] = [
        Field("index", \.index, "Its number in the burst, from 0.", .notNegative),
        Field("code", \.code, "The stable name of the kind of failure, as in a problem document."),
        Field("detail", \.detail, "The reason, in one sentence."),
    ]
}
