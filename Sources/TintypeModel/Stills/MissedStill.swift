// SPDX-License-Identifier: Apache-2.0

/// A still of a burst that there is not, and why.
package struct MissedStill: Hashable, Sendable, Codable {
    package var index: Int
    package var code: ProblemCode
    package var detail: String

    /// The still `index`, missed for `problem`.
    package init(index: Int, _ problem: Problem) {
        self.index = index
        code = problem.code
        detail = problem.detail
    }
}

extension MissedStill: WireObject {
    package static let summary = "A missing still of a burst, with the reason."

    package static let fields: [Field] = [
        Field("index", \.index, "Its number in the burst, from 0.", .notNegative),
        Field("code", \.code, "The stable name of the kind of failure, as in a problem document."),
        Field("detail", \.detail, "The reason, in one sentence."),
    ]
}
