// SPDX-License-Identifier: Apache-2.0

/// Changes to a frame: body of `PATCH /v1/frames/{id}`.
package struct FrameEdit: Hashable, WireObject, WireRequest {
    package var pinned: Bool?
    /// Valid by ``StillRequest/isValid(tag:)``.
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

    /// Requires at least one field.
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
