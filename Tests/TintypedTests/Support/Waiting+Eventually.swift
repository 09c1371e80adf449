// SPDX-License-Identifier: Apache-2.0
import TestSupport

extension Waiting {
    /// Whether `condition` comes true within half a minute, scaled.
    ///
    /// What is published of a camera are snapshots, and nobody is told when they change: a test has to look until they
    /// have.
    static func eventually(_ condition: () -> Bool) async -> Bool {
        await eventually(within: .seconds(30), condition)
    }
}
