// SPDX-License-Identifier: Apache-2.0

/// Changes to a frame: body of `PATCH /v1/frames/{id}`.
package struct FrameEdit: Hashable, WireObject, WireRequest {
    package var pinned: Bool?
    package var addTags: [String] = []
    /// A tag that is also in ``addTags`` is kept.
    package var removeTags: [String] = []
    package init() {}

    package init(pinned: Bool? = nil, addTags: [String] = [], removeTags: [String] = []) {
        (self.pinned, self.addTags, self.removeTags) = (pinned, addTags, removeTags)
    }

    /// Tags after the change, in the order of their addition; nil if it would exceed ``StillRequest/mostTags``.
    package func applied(to tags: [String]) -> [String]? {
        let removed = Set(removeTags)
        var result = tags.filter { !removed.contains($0) || addTags.contains($0) }
        for tag in addTags where !result.contains(tag) { result.append(tag) }
        return result.count <= StillRequest.mostTags || result.count <= tags.count ? result : nil
    }

    package static let summary = "The changes to a frame: at least one of these."
    package static let fields: [Field] = [
        Field("pinned", \.pinned, "Whether retention must keep them; missing to leave their pins unchanged."),
        Field("addTags", \.addTags, "Tags to add.", .tags, isRequired: false),
        Field("removeTags", \.removeTags, "Tags to remove.", .tags, isRequired: false),
    ]

    package mutating func check(_ given: [String: FieldValue]) throws(Problem) {
        guard self == FrameEdit() else { return }
        let wrong = "is missing, and so are addTags and removeTags: nothing is to be changed."
        throw .invalid(field: "pinned", wrong, remedy: "Give at least one of the three.")
    }
}

/// Changes to selected frames: body of `PATCH /v1/frames`.
package struct FrameChange: Hashable, WireObject, WireRequest {
    package var selection = FrameSelection()
    package var edit = FrameEdit()
    package init() {}
    package init(_ selection: FrameSelection, _ edit: FrameEdit) { (self.selection, self.edit) = (selection, edit) }
    package static let summary = "The frames and the changes: ids or where, and at least one of the others."
    package static let fields: [Field] =
        FrameSelection.fields.map { $0.within(\.selection) } + FrameEdit.fields.map { $0.within(\.edit) }

    package mutating func check(_ given: [String: FieldValue]) throws(Problem) {
        try selection.check(given)
        try edit.check(given)
    }
}

package enum FrameSelection: Hashable, WireObject, WireRequest {
    /// At most ``mostIDs``.
    case ids([FrameID])
    /// Frames that match when the operation runs.
    case filter(FrameFilter)
    package static let mostIDs = 10_000
    package static let summary = "The frames that are changed or deleted: ids, or a filter that is not empty."
    package static let fields: [Field] = [
        Field("ids", \.idList, "The ids of frames.", ["minItems": 1, "maxItems": .integer(mostIDs)]),
        Field("where", \.where),
    ]

    package init() { self = .ids([]) }

    private var idList: [FrameID]? {
        get { if case .ids(let ids) = self, !ids.isEmpty { ids } else { nil } }
        set { self = .ids(newValue ?? []) }
    }

    private var `where`: FrameFilter? {
        get { if case .filter(let filter) = self { filter } else { nil } }
        set { self = .filter(newValue ?? .everything) }
    }

    /// Refuses both, neither, an empty list of ids, and an empty filter: only `all()` selects all frames.
    package mutating func check(_ given: [String: FieldValue]) throws(Problem) {
        try given.refuse("ids", with: "where")
        try given.refuseEmptyFilter()
        if given["ids"] == nil, given["where"] == nil {
            throw .invalid(field: "ids", "is missing, and where is too.", remedy: "Give ids, or a filter as where.")
        }
        if case .ids(let ids) = self, ids.isEmpty {
            throw .invalid(field: "ids", "has no id.", remedy: "Give 1 to \(Self.mostIDs) ids of frames.")
        }
    }
}

package struct FrameOutcome: Equatable, Codable, WireObject {
    package var changed: Int
    package var missing: [FrameID]
    /// At most ``mostRefused``.
    package var refused: [FrameID]
    /// At most ``mostFailed``.
    package var failed: [FrameID]
    package var problem: Problem?
    package static let mostRefused = 1000
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

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        changed = try container.decode(Int.self, forKey: .changed)
        missing = try container.decodeIfPresent([FrameID].self, forKey: .missing) ?? []
        refused = try container.decodeIfPresent([FrameID].self, forKey: .refused) ?? []
        failed = try container.decodeIfPresent([FrameID].self, forKey: .failed) ?? []
        problem = try container.decodeIfPresent(Problem.self, forKey: .problem)
    }

    package func encode(to encoder: any Encoder) throws {
        try Self.fields.encode(self, standard: FrameOutcome(), to: encoder)
    }
}
