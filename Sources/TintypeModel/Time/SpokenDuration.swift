// SPDX-License-Identifier: Apache-2.0

/// A duration as a person reads it, to about three digits: the same in problems and on the command line.
package enum SpokenDuration {
    /// As in `0.4 ms`, `33 ms`, `1.5 s`, `2 min 5 s`, `3 h 20 min`, `4 d 2 h`; `0 ms` for zero only, and `under 0.1 ms`
    /// for less.
    package static func text(_ duration: Duration) -> String {
        let milliseconds = duration.millisecondCount
        let seconds = Int((milliseconds / 1000).rounded())
        switch milliseconds {
        case ..<0.05 where milliseconds > 0: return "under 0.1 ms"
        case ..<9.95: return "\(tenths(milliseconds)) ms"
        case ..<999.5: return "\(Int(milliseconds.rounded())) ms"
        case ..<59_950: return "\(tenths(milliseconds / 1000)) s"
        case ..<3_599_500: return "\(seconds / 60) min \(seconds % 60) s"
        case ..<86_399_500: return "\(seconds / 3600) h \(seconds / 60 % 60) min"
        default: return "\(seconds / 86_400) d \(seconds / 3600 % 24) h"
        }
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
