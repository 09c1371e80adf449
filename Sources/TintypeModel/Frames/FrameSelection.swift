// SPDX-License-Identifier: Apache-2.0

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
