// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension FramePage {
    /// The merged page ends with the first partial page: later entries are not known yet.
    init(merging pages: [FramePage], _ order: FrameOrder, limit: Int) {
        func isBefore(_ one: FrameID, _ other: FrameID) -> Bool { order == .newest ? one > other : one < other }
        let end = pages.compactMap(\.next?.last).min(by: isBefore)
        let known = pages.flatMap(\.frames).filter { frame in end.map { !isBefore($0, frame.still.id) } ?? true }
            .sorted { isBefore($0.id, $1.id) }
        guard known.count > limit else {
            self.init(frames: known, next: end.map { FrameCursor(order, after: $0) })
            return
        }
        let frames = Array(known.prefix(limit))
        self.init(frames: frames, next: frames.last.map { FrameCursor(order, after: $0.id) })
    }
}

extension FrameSpanList {
    init(merging lists: [[FrameSpan]], unavailable: [String]?) {
        let spans = Dictionary(lists.joined().map { ($0.from, $0) }) { one, other in
            let newest = max(one.newest, other.newest)
            return FrameSpan(from: one.from, to: one.to, frames: one.frames + other.frames, newest: newest)
        }
        self.init(spans: spans.values.sorted { $0.from < $1.from }, unavailable: unavailable)
    }
}
