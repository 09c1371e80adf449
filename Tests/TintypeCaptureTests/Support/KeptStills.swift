// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TintypeModel

/// The stills that a burst handed over to be stored.
final class KeptStills: Sendable {
    private let stills = Mutex<[Still]>([])

    /// In the order of their capture; several are handed over at a time.
    var all: [Still] {
        stills.withLock(\.self).sorted { ($0.record.capturedMonotonicNs ?? 0) < ($1.record.capturedMonotonicNs ?? 0) }
    }

    /// Returns how many were handed over before it.
    @discardableResult
    func add(_ still: Still) -> Int {
        stills.withLock { stills in
            stills.append(still)
            return stills.count - 1
        }
    }
}
