// SPDX-License-Identifier: Apache-2.0
import TestSupport
import TintypeModel

extension SessionState {
    /// Time of the next attempt, and the time until then; nil unless interrupted.
    var attempt: (at: Timestamp, after: Duration)? {
        nextAttempt.map { ($0, $0 - TestClock().wall) }
    }
}
