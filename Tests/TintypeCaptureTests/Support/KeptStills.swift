// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TintypeModel

/// Stills that a burst passed on for storage.
final class KeptStills: Sendable {
    private let stills = Mutex<[Still]>([])

    /// All stills in capture order; storage is concurrent.
    var all: [Still] {
        stills.withLock(\.self).sorted { ($0.record.capturedMonotonicNs ?? 0) < ($1.record.capturedMonotonicNs ?? 0) }
    }

    /// Adds a still and returns the number of earlier ones.
    @discardableResult
    func add(_ still: Still) -> Int {
        stills.withLock { stills in
            stills.append(still)
            return stills.count - 1
        }
    }
}
