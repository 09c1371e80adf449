// SPDX-License-Identifier: Apache-2.0

/// Filter of frames: the language of the API, the command line and retention.
///
/// A condition on an unknown property does not match, so its `not` does.
package indirect enum FrameFilter: Hashable, Sendable, CustomStringConvertible, FieldReadable, Encodable, WireSchema {
    /// Matches if all elements match; an empty list matches every frame.
    case all([FrameFilter])
    /// Matches if any element matches; an empty list matches no frame.
    case any([FrameFilter])
    case not(FrameFilter)
    case `is`(FrameCondition)
    /// Maximum length of the text in characters; fits every ``description`` of up to ``mostConditions`` conditions.
    package static let longestText = 65_536
    package static let mostLevels = 32
    /// Maximum number of conditions; an empty `all` or `any` counts as one, a day as two.
    package static let mostConditions = 256
    package static let everything = FrameFilter.all([])

    /// Replaces every ``FrameCondition/since(_:)`` with the absolute time at `now`, in milliseconds like frame IDs.
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

    /// The filter, and stills only unless it has a condition on the kind, or one on the id outside of `not`.
    package var ofStillsUnlessAsked: FrameFilter { hasKind() ? self : .all([self, .is(.kind(.still))]) }

    private func hasKind(orID: Bool = true) -> Bool {
        switch self {
        case .all(let filters), .any(let filters): filters.contains { $0.hasKind(orID: orID) }
        case .not(let filter): filter.hasKind(orID: false)
        case .is(.kind): true
        case .is(.id): orID
        case .is: false
        }
    }

    /// Name of the camera of all matching frames; nil unless the filter has one condition with a name, at its top level.
    package var camera: String? {
        switch self {
        case .all(let filters):
            let names = filters.compactMap(\.camera)
            return names.count == 1 ? names[0] : nil
        case .is(.camera(let name)): return CameraName.isValid(name) ? name : nil
        case .any, .not, .is: return nil
        }
    }

    /// Parses conditions such as `camera:yard`, `bytes>100k` or `pinned`, `all(…)`, `any(…)` and `not …`.
    ///
    /// A comma at the top level means `all`; an empty text selects all frames. Throws `invalid-request` for `field`
    /// with the position of the error, counted from 1, and the expected input.
    package init(parsing text: String, field: String = "where") throws(Problem) {
        var parser = FrameFilterParser(text, field: field)
        self = try parser.filter()
    }

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

    package init?(field value: FieldValue, at path: String) throws(Problem) {
        guard case .text(let text) = value else { return nil }
        try self.init(parsing: text, field: path.isEmpty ? "where" : path)
    }

    package static func noun(by schema: OrderedJSON) -> String { "a filter" }
    package static func fault(in value: FieldValue, by schema: OrderedJSON) -> (wrong: String, remedy: String) {
        let example = #"Give a text such as "camera:yard, not pinned"."#
        let version = "A filter in JSON is of an older tintype: use this version's."
        return ("is not the text of a filter.", "\(example) \(version)")
    }

    package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }

    package static let definition: OrderedJSON = [
        "type": "string",
        "description": """
        A filter that selects frames, as in camera:yard, any(tag:alarm, bytes>2M), not pinned. At most 256 conditions, where \
        all() and any() without any count as one and on: as two, and 32 levels.
        """,
        "maxLength": .integer(longestText),
    ]
}

package enum FrameCondition: Hashable, Sendable, CustomStringConvertible {
    /// Camera name; `*` matches any characters, `?` one.
    case camera(String)
    /// Tag, with the same wildcards.
    case tag(String)
    case verdict(Verdict)
    /// Exposure and white balance had settled, or not; never matches a frame without this information.
    case settled(Bool)
    case pinned(Bool)
    case lost(Bool)
    case id(FrameID)
    /// Without one, or an id, a list has stills only.
    case kind(FrameKind)
    case source(FrameSource)
    /// Exposure began at this time or later.
    case from(Timestamp)
    /// Exposure began before this time.
    case to(Timestamp)
    /// Maximum time since the start of exposure when the filter is applied, in whole milliseconds.
    case since(Duration)
    /// Number in a range; `0` and `Int.max` mean unbounded.
    case measure(FrameMeasure, ClosedRange<Int>)

    package var description: String {
        switch self {
        case .camera(let name): "camera:\(name)"
        case .tag(let tag): "tag:\(tag)"
        case .verdict(let verdict): "verdict:\(verdict.rawValue)"
        case .settled(let isSettled): "settled:\(isSettled ? "yes" : "no")"
        case .pinned(let isPinned): isPinned ? "pinned" : "pinned:no"
        case .lost(let isLost): isLost ? "lost" : "lost:no"
        case .id(let id): "id:\(id)"
        case .kind(let kind): "kind:\(kind.rawValue)"
        case .source(let source): "source:\(source.rawValue)"
        case .from(let time): "from:\(time)"
        case .to(let time): "to:\(time)"
        case .since(let age): "since:\(HumanDuration.text(age))"
        case .measure(let measure, let range): measure.rawValue + Self.bounds(range)
        }
    }

    private static func bounds(_ range: ClosedRange<Int>) -> String {
        if range.upperBound == .max { return ">=\(range.lowerBound)" }
        if range.lowerBound == range.upperBound { return ":\(range.lowerBound)" }
        if range.lowerBound == 0 { return "<=\(range.upperBound)" }
        return ":\(range.lowerBound)..\(range.upperBound)"
    }
}

/// Numeric property of a frame: bytes of the file, width and height in pixels.
package enum FrameMeasure: String, Hashable, Sendable, CaseIterable {
    case bytes, width, height
}
