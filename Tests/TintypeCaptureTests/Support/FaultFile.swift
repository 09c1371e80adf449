// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import TintypeModel

/// The file of a pattern's option `faults=`: what it does wrong from now on.
final class FaultFile: Sendable {
    let path = "/tmp/tintype-faults-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Replaces what stands there, by a rename: the device never reads half of it.
    func set(_ faults: String) throws { try Data(faults.utf8).write(to: URL(filePath: path), options: .atomic) }

    /// No faults any more.
    func heal() throws { try set("") }
}

/// The file of a pattern's option `moves=`: a block that a test has come and go.
final class MovesFile: Sendable {
    private let file = FaultFile()
    private let all = Mutex<[MonotonicTime]>([])
    var path: String { file.path }

    /// Has it come or go at the present moment of the test's clock.
    func change() throws {
        let moments = all.withLock { moments in
            moments.append(TestClock().now)
            return moments
        }
        try file.set(moments.map { "\($0.nanoseconds)\n" }.joined())
    }
}
