// SPDX-License-Identifier: Apache-2.0

/// One property that a stored frame can have.
package enum FrameCondition: Hashable, Sendable {
    /// It is of this camera; `*` stands for any characters or none, `?` for one.
    case camera(String)
    /// It has this tag, or one that is as this pattern.
    case tag(String)
    /// It is as whole as this.
    case verdict(Verdict)
    /// Exposure and white balance had settled, or had not; where that was not looked at, neither fits.
    case settled(Bool)
    /// It is pinned, or is not.
    case pinned(Bool)
    /// Its file is gone, or is there.
    case lost(Bool)
    /// It is this one.
    case id(FrameID)
    /// It was asked for in this way.
    case source(FrameSource)
    /// Its exposure began at this moment or later.
    case from(Timestamp)
    /// Its exposure began before this moment.
    case to(Timestamp)
    /// Its exposure began no longer ago than this, counted from when the filter is applied; whole milliseconds.
    case since(Duration)
    /// One of its numbers is in this range; `0` and `Int.max` stand for no bound.
    case measure(FrameMeasure, ClosedRange<Int>)
}

/// The numbers of a frame that can be asked for.
package enum FrameMeasure: String, Hashable, Sendable, CaseIterable {
    /// Bytes of the file.
    case bytes
    /// Pixels a row.
    case width
    /// Rows.
    case height
}

extension FrameCondition: CustomStringConvertible {
    /// The text, as in `camera:yard` or `bytes>=100000`.
    package var description: String {
        switch self {
        case .camera(let name): "camera:\(name)"
        case .tag(let tag): "tag:\(tag)"
        case .verdict(let verdict): "verdict:\(verdict.rawValue)"
        case .settled(let isSettled): "settled:\(isSettled ? "yes" : "no")"
        case .pinned(let isPinned): isPinned ? "pinned" : "pinned:no"
        case .lost(let isLost): isLost ? "lost" : "lost:no"
        case .id(let id): "id:\(id)"
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
