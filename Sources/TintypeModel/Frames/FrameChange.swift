// SPDX-License-Identifier: Apache-2.0

/// Changes to a frame: body of `PATCH /v1/frames/{id}`.
package struct FrameEdit: Hashable, WireObject, FieldsReadable, Encodable {
    package var pinned: Bool?
    /// Valid by ``StillRequest/isValid(tag:)``.
    package var addTags: [String]
    /// A tag that is also in ``addTags`` is kept.
    package var removeTags: [String]

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

    package enum CodingKeys: String, CodingKey, CaseIterable { case pinned, addTags, removeTags }

    /// Requires at least one field; the object may have others.
    package init(in fields: FieldReader<CodingKeys>) throws(Problem) {
        pinned = try fields.value(.pinned, Bool.self)
        addTags = try Self.tags(.addTags, fields)
        removeTags = try Self.tags(.removeTags, fields)
        guard self == FrameEdit() else { return }
        let wrong = "is missing, and so are addTags and removeTags: nothing is to be changed."
        throw .invalid(field: "pinned", wrong, remedy: "Give at least one of the three.")
    }

    private static func tags(_ key: CodingKeys, _ fields: FieldReader<CodingKeys>) throws(Problem) -> [String] {
        let remedy = "Give at most \(StillRequest.mostTags) different tags. \(StillRequest.tagRemedy)"
        return try fields.read(key, "is no list of tags.", remedy: remedy) {
            StillRequest.areValid(tags: $0) ? $0 : nil
        } ?? []
    }
}

/// Changes to selected frames: body of `PATCH /v1/frames`.
package struct FrameChange: Hashable, WireObject, FieldsReadable, Encodable {
    package var selection: FrameSelection
    package var edit: FrameEdit

    package init(_ selection: FrameSelection, _ edit: FrameEdit) { (self.selection, self.edit) = (selection, edit) }

    package static let summary = "The frames and the changes: ids or where, and at least one of the others."
    package static let fields: [Field] =
        FrameSelection.fields.map { $0.within(\.selection) } + FrameEdit.fields.map { $0.within(\.edit) }

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case ids
        case filter = "where"
        case pinned, addTags, removeTags
    }

    package init(in fields: FieldReader<CodingKeys>) throws(Problem) {
        selection = try FrameSelection(in: fields.fields(by: FrameSelection.CodingKeys.self))
        edit = try FrameEdit(in: fields.fields(by: FrameEdit.CodingKeys.self))
    }

    package func encode(to encoder: any Encoder) throws {
        try selection.encode(to: encoder)
        try edit.encode(to: encoder)
    }
}
