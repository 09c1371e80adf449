// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import TintypeModel

/// The file of the pattern option `faults=`: faults that apply from now on.
final class FaultFile: Sendable {
    let path = "/tmp/tintype-faults-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Replaces the file by a rename, so that the device never reads half of it.
    func set(_ faults: String) throws { try Data(faults.utf8).write(to: URL(filePath: path), options: .atomic) }

    func heal() throws { try set("") }
}

/// The file of the pattern option `moves=`: shows and hides a block.
final class MovesFile: Sendable {
    private let file = FaultFile()
    private let all = Mutex<[MonotonicTime]>([])
    var path: String { file.path }

    /// Shows or hides the block at the current time of the test clock.
    func change() throws {
        let moments = all.withLock { moments in
            moments.append(TestClock().now)
            return moments
        }
        try file.set(moments.map { "\($0.nanoseconds)\n" }.joined())
    }
}
