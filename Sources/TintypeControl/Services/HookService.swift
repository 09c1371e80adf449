// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// What came of the hooks; any thread, never blocks.
package protocol HookService: Sendable {
    /// Every hook of the configuration, by name.
    func hooks() -> [HookStatus]
}
