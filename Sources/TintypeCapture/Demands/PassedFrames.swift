// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Frames that came and were not given, by reason, and what was wrong with those that turned out to be damaged.
package struct PassedFrames: Hashable, Sendable {
    /// How many, by reason.
    package var skipped: [SkipReason: Int]
    /// What was wrong with how many.
    package var faults: [PictureFault: Int] = [:]

    /// These, and nothing wrong with any.
    package init(skipped: [SkipReason: Int] = [:]) { self.skipped = skipped }

    mutating func count(_ reason: SkipReason, _ count: Int = 1) { skipped[reason, default: 0] += count }

    mutating func uncount(_ reason: SkipReason) {
        guard let count = skipped[reason] else { return }
        skipped[reason] = count > 1 ? count - 1 : nil
    }
}
