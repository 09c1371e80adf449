// SPDX-License-Identifier: Apache-2.0
import TintypeModel

extension SessionState {
    /// Time of the next attempt and its delay after the failure; nil unless interrupted.
    var attempt: (at: Timestamp, after: Duration)? {
        if case .interrupted(_, let since, let next) = self { (next, next - since) } else { nil }
    }
}
