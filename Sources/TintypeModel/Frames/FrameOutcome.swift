// SPDX-License-Identifier: Apache-2.0

/// Result of a change or deletion: reply to `PATCH` and `DELETE /v1/frames`.
package struct FrameOutcome: Equatable, Codable, WireObject {
    package var changed: Int
    package var missing: [FrameID]
    /// At most ``mostRefused``.
    package var refused: [FrameID]
    /// At most ``mostFailed``.
    package var failed: [FrameID]
    package var problem: Problem?

    package static let mostRefused = 1000
    /// As many IDs as a request can list.
    package static let mostFailed = FrameSelection.mostIDs

    package init(
        changed: Int = 0,
        missing: [FrameID] = [],
        refused: [FrameID] = [],
        failed: [FrameID] = [],
        problem: Problem? = nil
    ) {
        (self.changed, self.missing, self.refused) = (changed, missing, refused)
        (self.failed, self.problem) = (failed, problem)
    }

    /// Outcome if `problem` stopped the work before `ids`; throws it if nothing had been done.
    package func cut(short problem: Problem, before ids: [FrameID] = []) throws(Problem) -> FrameOutcome {
        guard changed > 0 || !failed.isEmpty else { throw problem }
        var outcome = self
        outcome += FrameOutcome(failed: ids, problem: problem)
        return outcome
    }

    package static func += (left: inout FrameOutcome, right: FrameOutcome) {
        left.changed += right.changed
        left.missing += right.missing
        left.refused += right.refused.prefix(max(0, mostRefused - left.refused.count))
        left.failed += right.failed.prefix(max(0, mostFailed - left.failed.count))
        left.problem = left.problem ?? right.problem
    }

    package static let summary = "The outcome of a change or a deletion."
    package static let fields: [Field] = [
        Field("changed", \.changed, "The number of frames that were changed or deleted.", .notNegative),
        Field("missing", \.missing, "Ids without a frame; missing if there are none.", isRequired: false),
        Field("refused", \.refused, "At most 1000 that would have had more than 16 tags.", isRequired: false),
        Field("failed", \.failed, "Perhaps unchanged; of a filter, at most 10000.", isRequired: false),
        Field("problem", \.problem, "Of the first in failed, or why not all of a filter were tried."),
    ]

    private enum CodingKeys: String, CodingKey { case changed, missing, refused, failed, problem }

    /// Decodes the fields; empty lists may be omitted.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        changed = try container.decode(Int.self, forKey: .changed)
        missing = try container.decodeIfPresent([FrameID].self, forKey: .missing) ?? []
        refused = try container.decodeIfPresent([FrameID].self, forKey: .refused) ?? []
        failed = try container.decodeIfPresent([FrameID].self, forKey: .failed) ?? []
        problem = try container.decodeIfPresent(Problem.self, forKey: .problem)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(changed, forKey: .changed)
        if !missing.isEmpty { try container.encode(missing, forKey: .missing) }
        if !refused.isEmpty { try container.encode(refused, forKey: .refused) }
        if !failed.isEmpty { try container.encode(failed, forKey: .failed) }
        try container.encodeIfPresent(problem, forKey: .problem)
    }
}
