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
    struct Look: Sendable {
        let key: FrameKey
        /// Digest of the bytes as delivered by the driver.
        let digest: UInt64
        /// Nil if unknown.
        var emptiness: BlankCheck?
    }

    /// More than the encoding threads process at once: they may finish out of order.
    private static let length = 8

    private let looks = Mutex<[Look]>([])
    private let total = Atomic(0)
    private let finished = Mutex<FrameAnalysis?>(nil)

    package init() {}

    var count: Int { total.load(ordering: .relaxed) }

    /// Stores an analysis requested for settling, unless a newer frame's is stored already.
    package func finish(_ look: FrameAnalysis) {
        finished.withLock { finished in if finished.map({ $0.key < look.key }) ?? true { finished = look } }
    }

    /// Removes and returns the analysis stored by ``finish(_:)``; nil if none is new.
    package func takeFinished() -> FrameAnalysis? { finished.withLock { $0.take() } }

    /// Cached analysis of a frame, if still cached.
    func look(at key: FrameKey) -> Look? { looks.withLock { looks in looks.first { $0.key == key } } }

    /// Caches the analysis of a frame; true if its bytes equal those of the previous analysed frame, nil without one.
    @discardableResult
    func record(_ look: Look) -> Bool? {
        looks.withLock { looks in
            let before = looks.last { $0.key < look.key }
            if let index = looks.firstIndex(where: { $0.key == look.key }) {
                looks[index] = look
            } else {
                total.add(1, ordering: .relaxed)
                looks.insert(look, at: looks.firstIndex { look.key < $0.key } ?? looks.endIndex)
                if looks.count > Self.length { looks.removeFirst() }
            }
            return before.map { $0.digest == look.digest }
        }
    }
}
