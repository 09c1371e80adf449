// SPDX-License-Identifier: Apache-2.0
import TintypeModel

extension SessionState {
    /// When the camera is tried again, and how long that is after it failed; nil where it is not interrupted.
    var attempt: (at: Timestamp, after: Duration)? {
        if case .interrupted(_, let since, let next) = self { (next, next - since) } else { nil }
    }
}
