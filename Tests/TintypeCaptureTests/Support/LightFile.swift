// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import TintypeModel

/// The file of a pattern's option `light=`: a lamp that a test switches.
final class LightFile: Sendable {
    let path = "/tmp/tintype-light-\(UUID().uuidString)"
    private let all = Mutex<[MonotonicTime]>([])

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// When the lamp was switched.
    var moments: [MonotonicTime] { all.withLock { $0 } }

    /// Switches the lamp at the present moment of the test's clock.
    func change() throws {
        let moments = all.withLock { moments in
            moments.append(TestClock().now)
            return moments
        }
        let text = moments.map { "\($0.nanoseconds)\n" }.joined()
        try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    }

    /// Switches it so often, half a second to one and a half after each other.
    func flash(_ count: Int, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<count {
            try await TestClock().sleep(for: .microseconds(Int64.random(in: 500_000...1_500_000, using: &random)))
            try change()
        }
    }
}
