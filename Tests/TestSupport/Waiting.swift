// SPDX-License-Identifier: Apache-2.0
import Foundation
import TintypeModel

/// How long tests wait.
///
/// Where nobody is told when something changes, they have to look until it has.
package enum Waiting {
    /// By how much the time limits are longer than on a machine of its own (`TINTYPE_TEST_SCALE`).
    package static let scale = max(1, Int(ProcessInfo.processInfo.environment["TINTYPE_TEST_SCALE"] ?? "") ?? 1)

    /// Whether `condition`, which is looked at every millisecond, comes true within `limit`, scaled.
    package static func eventually(within limit: Duration, _ condition: () -> Bool) async -> Bool {
        let end = MonotonicTime.now() + limit * scale
        while MonotonicTime.now() < end {
            if condition() { return true }
            try? await Task.sleep(for: .milliseconds(1))
        }
        return condition()
    }
}
