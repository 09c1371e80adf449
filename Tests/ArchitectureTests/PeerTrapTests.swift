// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// What other capture programs have fallen into: each has a test of ours that bears its name.
struct PeerTrapTests {
    @Test(arguments: [
        "stop-waits-for-select-timeout", "event-wakes-but-no-frame", "short-frame-not-requeued",
        "all-buffers-broken-forever", "reopen-uses-old-size", "low-light-slower-than-timeout", "S_FMT answer ignored",
        "oldest-first after idle", "slow-disk-blocks-DQBUF", "one-camera-stall-restarts-all", "decode-failure-exit-0",
        "select-with-fd-over-1024", "old-dark-first-frame-as-success",
    ])
    func `every trap of the peers has a test that bears its name`(trap: String) throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let names = try SourceTree(tests).files.filter { $0.target != "ArchitectureTests" }.flatMap(\.lines)
            .filter { $0.contains("func `") || $0.contains("\"") }
        #expect(names.contains { $0.contains(trap) })
    }
}
