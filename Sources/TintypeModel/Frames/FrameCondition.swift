// SPDX-License-Identifier: Apache-2.0

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
