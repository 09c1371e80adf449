// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeDevice
package import TintypeImaging

/// What came of a look at a frame.
package struct FrameLook: Sendable {
    /// Which frame.
    package let key: FrameKey
    /// When it was taken.
    package let stamp: FrameStamp
    /// What it shows; nil if its bytes are no picture.
    package let statistics: FrameStatistics?
}

/// The frames of one camera that were looked at last, to compare the next one with.
///
/// Any thread; never blocks.
package final class RecentLooks: Sendable {
    /// What is remembered of a frame.
    struct Look: Sendable {
        let key: FrameKey
        /// Stands for its bytes, as the driver delivered them.
        let digest: UInt64
        /// Whether it shows anything; nil where that cannot be told.
        var emptiness: Emptiness?
    }

    /// More than encoding threads have in their hands at once: they need not finish in order.
    private static let length = 8

    private let looks = Mutex<[Look]>([])
    private let total = Atomic(0)
    private let finished = Mutex<FrameLook?>(nil)

    /// Nothing was looked at yet.
    package init() {}

    /// How many frames were looked at in all.
    var count: Int { total.load(ordering: .relaxed) }

    /// Lays down what came of a look that the session has asked for; one at an older frame, as of the stream before, does
    /// not replace a newer one.
    package func finish(_ look: FrameLook) {
        finished.withLock { finished in
            if finished.map({ $0.key < look.key }) ?? true { finished = look }
        }
    }

    /// Takes that up; nil if there is nothing new.
    package func takeFinished() -> FrameLook? { finished.withLock { $0.take() } }

    /// What is remembered of a frame; nil if it was not looked at lately.
    func look(at key: FrameKey) -> Look? { looks.withLock { looks in looks.first { $0.key == key } } }

    /// Remembers a frame.
    ///
    /// - Returns: whether it equals the one before it that was looked at; nil where there is none.
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
