// SPDX-License-Identifier: Apache-2.0

extension FrameFilter: FieldReadable, Encodable {
    /// Reads the text; nil where it is none.
    ///
    /// Throws ``Problem`` as ``init(parsing:field:)`` does.
    package init?(field value: FieldValue, at path: String) throws(Problem) {
        guard case .text(let text) = value else { return nil }
        try self.init(parsing: text, field: path.isEmpty ? "where" : path)
    }

    package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension FrameFilter: WireSchema {
    package static let definition: OrderedJSON = [
        "type": "string",
        "description": """
        A filter that selects frames, as in camera:yard, any(tag:alarm, bytes>2M), not pinned. At most 256 conditions, where \
        all() and any() without any count as one and on: as two, and 32 levels.
        """,
        "maxLength": .integer(longestText),
    ]
}
