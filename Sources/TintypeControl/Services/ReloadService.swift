// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Reads the configuration again.
package protocol ReloadService: Sendable {
    /// Reads the configuration file again, and goes by it from then on: wholly, or not at all.
    ///
    /// Throws `configuration-unsupported` with the file, the line and the key for one that is wrong or cannot be taken without
    /// a restart: the old one stays in force.
    func reload() async throws(Problem) -> ReloadReport
}
