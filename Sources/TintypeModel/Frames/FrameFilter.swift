// SPDX-License-Identifier: Apache-2.0

/// Which frames are meant: the one filter language of the API, the command line and retention.
///
/// It is a text everywhere, ``init(parsing:field:)`` and ``description``. Every frame either fits or does not: where a
/// property is not known, no condition on it fits, and so its `not` does.
package indirect enum FrameFilter: Hashable, Sendable {
    /// Frames that every one of these fits; without any, all frames.
    case all([FrameFilter])
    /// Frames that at least one of these fits; without any, no frame.
    case any([FrameFilter])
    /// Frames that this does not fit.
    case not(FrameFilter)
    /// Frames that have a property.
    case `is`(FrameCondition)
}

extension FrameFilter {
    /// The longest text that is read, in characters: no filter of ``mostConditions`` has a longer ``description``.
    package static let longestText = 65_536
    /// How deep filters may be nested.
    package static let mostLevels = 32
    /// The most conditions that a filter may have; `all` and `any` without any count as one, too, and a day as two.
    package static let mostConditions = 256

    /// The filter of all frames.
    package static let everything = FrameFilter.all([])

    /// The same with every ``FrameCondition/since(_:)`` as the moment that it means at `now`, to the millisecond, as ids
    /// have it.
    package func resolved(at now: Timestamp) -> FrameFilter {
        switch self {
        case .all(let filters): .all(filters.map { $0.resolved(at: now) })
        case .any(let filters): .any(filters.map { $0.resolved(at: now) })
        case .not(let filter): .not(filter.resolved(at: now))
        case .is(.since(let age)):
            .is(.from(Timestamp(microseconds: (now - age).microseconds / 1000 * 1000)))
        case .is: self
        }
    }
}

extension FrameFilter: CustomStringConvertible {
    /// The text, as in `camera:yard, any(tag:alarm, not pinned)`; of what was read it is no deeper than that was.
    package var description: String {
        if case .all(let filters) = self, filters.count > 1 { Self.list(filters) } else { term }
    }

    private var term: String {
        switch self {
        case .all(let filters): "all(\(Self.list(filters)))"
        case .any(let filters): "any(\(Self.list(filters)))"
        case .not(let filter): "not \(filter.term)"
        case .is(let condition): condition.description
        }
    }

    private static func list(_ filters: [FrameFilter]) -> String { filters.map(\.term).joined(separator: ", ") }
}

extension FrameFilter {
    /// Reads a text: conditions such as `camera:yard`, `bytes>100k` or `pinned`, `all(…)`, `any(…)` and `not …`;
    /// a comma between two at the top means that all of them must fit, an empty text means all frames.
    ///
    /// Throws `invalid-request` for `field` with the number of the character that is wrong, from 1, and what was
    /// expected there.
    package init(parsing text: String, field: String = "where") throws(Problem) {
        var parser = FrameFilterParser(text, field: field)
        self = try parser.filter()
    }
}

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
