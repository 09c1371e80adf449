// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The file of a pattern's option `faults=`: what it does wrong from now on.
final class FaultFile: Sendable {
    let path = "/tmp/tintype-faults-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Replaces what stands there, by a rename: the device never reads half of it.
    func set(_ faults: String) throws { try Data(faults.utf8).write(to: URL(filePath: path), options: .atomic) }

    /// No faults any more.
    func heal() throws { try set("") }
}
