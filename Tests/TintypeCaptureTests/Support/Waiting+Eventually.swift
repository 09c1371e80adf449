// SPDX-License-Identifier: Apache-2.0
import TestSupport

extension Waiting {
    /// Whether `condition` comes true within ten seconds.
    ///
    /// A session publishes snapshots and tells nobody when they change, so that a test has to look until they have.
    static func eventually(_ condition: () -> Bool) async -> Bool {
        await eventually(within: .seconds(10), by: TestClock(), condition)
    }
}
