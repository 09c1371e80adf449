// SPDX-License-Identifier: Apache-2.0
import Foundation
import TintypeModel

/// The one place of these tests that lets time pass.
///
/// A session publishes snapshots and tells nobody when they change, so that a test has to look until they have.
enum Waiting {
    /// By how much the time limits are longer than on a machine of its own (`TINTYPE_TEST_SCALE`).
    static let scale = max(1, Int(ProcessInfo.processInfo.environment["TINTYPE_TEST_SCALE"] ?? "") ?? 1)

    /// Whether `condition` comes true within `limit`, scaled.
    static func eventually(within limit: Duration = .seconds(10), _ condition: () -> Bool) async -> Bool {
        let end = MonotonicTime.now() + limit * scale
        while MonotonicTime.now() < end {
            if condition() { return true }
            try? await Task.sleep(for: .milliseconds(1))
        }
        return condition()
    }
}
