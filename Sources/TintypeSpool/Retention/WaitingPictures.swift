// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

/// Positions in the order of arrival up to which all pictures wait for an upload or are pinned, so that a backlog is not
/// read again for each new picture.
struct WaitingPictures {
    /// Numbers of rows, by the cameras of an excess; nil for all cameras.
    private var last: [Set<String>?: Int64] = [:]

    /// ``FrameRow/number`` to continue after; nil for the start.
    func last(of cameras: Set<String>?) -> Int64? { last[cameras] }

    /// Moves the position past `rows`, the next ones after `row` or the position, if none of them can be deleted.
    mutating func pass(_ rows: [FrameRow], _ waiting: Set<FrameID>, of cameras: Set<String>?, after row: FrameRow?) {
        // Not past the last number: another row may have the same.
        guard row.map({ $0.number - 1 == last[cameras] }) ?? true, let end = rows.last,
            rows.allSatisfy({ $0.isPinned || waiting.contains($0.id) })
        else { return }
        last[cameras] = max(end.number, 1) - 1
    }

    /// For pictures from this number on that may no longer wait, or be pinned.
    mutating func returnBefore(_ number: Int64) { last = last.mapValues { min($0, max(1, number) - 1) } }
}
