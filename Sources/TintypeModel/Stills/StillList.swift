// SPDX-License-Identifier: Apache-2.0

/// Reply to `POST /v1/cameras/{camera}/stills`, or one line of it.
package struct StillList: Equatable, Codable, WireObject {
    /// Media type of a streamed reply, in which each line is a complete list.
    package static let linesMediaType = "application/x-ndjson"

    package var stills: [StillRecord]
    package var missed: [MissedStill]?

    package init(stills: [StillRecord], missed: [MissedStill]? = nil) { (self.stills, self.missed) = (stills, missed) }

    package static let summary = "The stills in order of capture."
    package static let fields: [Field] = [
        Field("stills", \.stills, "Their records."),
        Field("missed", \.missed, "Stills of a burst that were not taken or stored, in its order; missing if none."),
    ]
}

package struct MissedStill: Equatable, Codable, WireObject {
    package var index: Int
    package var code: ProblemCode
    package var detail: String

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
