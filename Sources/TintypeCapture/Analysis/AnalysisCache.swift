// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeDevice
package import TintypeImaging

package struct FrameAnalysis: Sendable {
    package let key: FrameKey
    package let stamp: FrameStamp
    /// Nil if the bytes are not a picture.
    package let statistics: FrameStatistics?
}

/// The most recently analysed frames of one camera, for comparison with the next one; any thread, never blocks.
package final class AnalysisCache: Sendable {
    struct Entry: Sendable {
        let key: FrameKey
        /// Digest of the bytes as delivered by the driver.
        let digest: UInt64
        /// Nil if unknown.
        var emptiness: BlankCheck?
    }

    /// More than the encoding threads process at once: they may finish out of order.
    private static let length = 8

    private let entries = Mutex<[Entry]>([])
    private let total = Atomic(0)
    private let finished = Mutex<FrameAnalysis?>(nil)

    package init() {}

    var count: Int { total.load(ordering: .relaxed) }

    /// Stores an analysis requested for settling, unless a newer frame's is stored already.
    package func finish(_ analysis: FrameAnalysis) {
        finished.withLock { finished in if finished.map({ $0.key < analysis.key }) ?? true { finished = analysis } }
    }

    /// Removes and returns the analysis stored by ``finish(_:)``; nil if none is new.
    package func takeFinished() -> FrameAnalysis? { finished.withLock { $0.take() } }

    /// Cached analysis of a frame, if still cached.
    func entry(_ key: FrameKey) -> Entry? { entries.withLock { $0.first { $0.key == key } } }

    /// Caches the analysis of a frame; true if its bytes equal those of the previous analysed frame, nil without one.
    @discardableResult
    func record(_ entry: Entry) -> Bool? {
        entries.withLock { entries in
            let before = entries.last { $0.key < entry.key }
            if let index = entries.firstIndex(where: { $0.key == entry.key }) {
                entries[index] = entry
            } else {
                total.add(1, ordering: .relaxed)
                entries.insert(entry, at: entries.firstIndex { entry.key < $0.key } ?? entries.endIndex)
                if entries.count > Self.length { entries.removeFirst() }
            }
            return before.map { $0.digest == entry.digest }
        }
    }
}
