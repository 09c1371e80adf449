// SPDX-License-Identifier: Apache-2.0

/// The frames that something is done to.
package enum FrameSelection: Hashable, WireObject {
    /// These, ``mostIDs`` at most.
    case ids([FrameID])
    /// All that this fits when it is done.
    case filter(FrameFilter)

    /// The most frames that can be named one by one.
    package static let mostIDs = 10_000

    package static let summary = "The frames that are changed or deleted: ids, or a filter that is not empty."
    package static let fields: [Field] = [
        Field("ids", of: [FrameID].schema, "The ids of frames.", ["minItems": 1, "maxItems": .integer(mostIDs)]),
        Field("where", of: FrameFilter.schema),
    ]
}

extension FrameSelection: FieldsReadable, Encodable {
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case ids
        case filter = "where"
    }

    /// Reads `{"ids": […]}` or `{"where": …}`, alone in an object or with other fields.
    ///
    /// Refuses both, none, no ids, and a filter without a condition: all frames are meant by `all()` only.
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
    /// The filter at `key`, with a condition in it: all frames are meant by `all()` only; nil where it is not there.
    func filter(_ key: Key) throws(Problem) -> FrameFilter? {
        if case .text(let text) = self[key], text.allSatisfy(\.isWhitespace) {
            throw .invalid(field: key.stringValue, "is empty.", remedy: #"Give a filter; "all()" means all frames."#)
        }
        return try value(key, FrameFilter.self, FrameQuery.noFilter, remedy: FrameQuery.filterRemedy)
    }
}
