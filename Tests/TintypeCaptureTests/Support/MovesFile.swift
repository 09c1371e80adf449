// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import TintypeModel

/// The file of a pattern's option `moves=`: a block that a test has come and go.
final class MovesFile: Sendable {
    let path = "/tmp/tintype-moves-\(UUID().uuidString)"
    private let all = Mutex<[MonotonicTime]>([])

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Has it come or go at the present moment of the test's clock.
    func change() throws {
        let moments = all.withLock { moments in
            moments.append(TestClock().now)
            return moments
        }
        let text = moments.map { "\($0.nanoseconds)\n" }.joined()
        try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    }
}
