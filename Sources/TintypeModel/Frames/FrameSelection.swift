// SPDX-License-Identifier: Apache-2.0

package enum FrameSelection: Hashable, WireObject, FieldsReadable, Encodable {
    /// At most ``mostIDs``.
    case ids([FrameID])
    /// Frames that match when the operation runs.
    case filter(FrameFilter)

    package static let mostIDs = 10_000

    package static let summary = "The frames that are changed or deleted: ids, or a filter that is not empty."
    package static let fields: [Field] = [
        Field("ids", of: [FrameID].schema, "The ids of frames.", ["minItems": 1, "maxItems": .integer(mostIDs)]),
        Field("where", of: FrameFilter.schema),
    ]

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case ids
        case filter = "where"
    }

    /// Refuses both, neither, an empty list of ids, and an empty filter: only `all()` selects all frames.
    package init(in fields: FieldReader<CodingKeys>) throws(Problem) {
        let remedy = "Give 1 to \(Self.mostIDs) ids, as frames' records have them."
        let ids = try fields.value(.ids, [FrameID].self, "is no list of frames' ids.", remedy: remedy)
        switch (ids, try fields.filter(.filter)) {
        case (_?, _?): throw .conflict(field: "ids", with: "where")
        case (nil, nil):
            throw .invalid(field: "ids", "is missing, and where is too.", remedy: "Give ids, or a filter as where.")
        case (let ids?, nil):
            guard (1...Self.mostIDs).contains(ids.count) else {
                throw .invalid(field: "ids", "has \(ids.count) ids.", remedy: remedy)
            }
            self = .ids(ids)
        case (nil, let filter?): self = .filter(filter)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .ids(let ids): try container.encode(ids, forKey: .ids)
        case .filter(let filter): try container.encode(filter, forKey: .filter)
        }
    }
}

extension FieldReader {
    /// Reads the filter at `key`; refuses an empty text: only `all()` selects all frames.
    func filter(_ key: Key) throws(Problem) -> FrameFilter? {
        if case .text(let text) = self[key], text.allSatisfy(\.isWhitespace) {
            throw .invalid(field: key.stringValue, "is empty.", remedy: #"Give a filter; "all()" means all frames."#)
        }
        return try value(key, FrameFilter.self, FrameQuery.noFilter, remedy: FrameQuery.filterRemedy)
    }
}
