// SPDX-License-Identifier: Apache-2.0
import TestSupport
import TintypeModel

extension SessionState {
    /// Time of the next attempt, and the time until then; nil unless interrupted.
    var attempt: (at: Timestamp, after: Duration)? {
        if case .interrupted(_, _, let next) = self { (next, next - TestClock().wall) } else { nil }
    }

    /// Begin of the interruption; nil unless interrupted.
    var since: Timestamp? { if case .interrupted(_, let since, _) = self { since } else { nil } }
}
