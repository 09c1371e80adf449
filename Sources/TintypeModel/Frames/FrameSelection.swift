// SPDX-License-Identifier: Apache-2.0

/// The frames that something is done to.
package enum FrameSelection: Hashable, Sendable {
    /// These, ``mostIDs`` at most.
    case ids([FrameID])
    /// All that this fits when it is done.
    case filter(FrameFilter)

    /// The most frames that can be named one by one.
    package static let mostIDs = 10_000
}

extension FrameSelection: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case ids
        case filter = "where"
    }

    /// Reads `{"ids": […]}` or `{"where": …}`.
    ///
    /// Throws ``Problem`` with code `invalid-request` that names the field, also for both, for none, for no ids, and for a
    /// filter without a condition: all frames are meant by `all()` only.
    package init(from decoder: any Decoder) throws {
        let fields = try FieldReader<CodingKeys>(decoder)
        let ids = try fields.value(.ids, [FrameID].self, "is no list of frames' ids.", remedy: Self.idsRemedy)
        self = try Self.read(ids, in: decoder)
    }

    /// Reads the two fields out of an object that may have others.
    static func read(_ ids: [FrameID]?, in decoder: any Decoder) throws -> FrameSelection {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let hasFilter = container.contains(.filter)
        if let ids {
            guard !hasFilter else { throw Problem.conflict(field: "ids", with: "where") }
            guard (1...mostIDs).contains(ids.count) else {
                throw Problem.invalid(field: "ids", "has \(ids.count) ids.", remedy: idsRemedy)
            }
            return .ids(ids)
        }
        guard hasFilter else {
            throw Problem.invalid(
                field: "ids",
                "is missing, and where is too.",
                remedy: "Give ids, or a filter as where."
            )
        }
        if let text = try? container.decode(String.self, forKey: .filter), text.allSatisfy(\.isWhitespace) {
            throw Problem.invalid(field: "where", "is empty.", remedy: emptyRemedy)
        }
        if (try? container.nestedContainer(keyedBy: AnyKey.self, forKey: .filter).allKeys.isEmpty) ?? false {
            throw Problem.invalid(field: "where", "is empty.", remedy: emptyRemedy)
        }
        do {
            return .filter(try container.decode(FrameFilter.self, forKey: .filter))
        } catch is DecodingError {
            throw Problem.invalid(field: "where", "is no filter.", remedy: FrameQuery.filterRemedy)
        }
    }

    static let idsRemedy = "Give 1 to \(mostIDs) ids, as frames' records have them."
    private static let emptyRemedy = #"Give a filter; "all()" means all frames."#

    /// Writes one of the two fields.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .ids(let ids): try container.encode(ids, forKey: .ids)
        case .filter(let filter): try container.encode(filter, forKey: .filter)
        }
    }
}
