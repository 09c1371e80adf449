// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization

/// A thread that reads a file repeatedly and counts incomplete reads.
final class LinkReader: Sendable {
    private struct State {
        var reads = 0
        var failures = 0
        var isStopping = false
    }

    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)

    init(_ path: String, whole: [UInt8]) {
        Thread.detachNewThread { [self] in
            var isStopping = false
            while !isStopping {
                let read = try? Data(contentsOf: URL(fileURLWithPath: path))
                isStopping = state.withLock { state in
                    state.reads += 1
                    if read.map([UInt8].init) != whole { state.failures += 1 }
                    return state.isStopping
                }
            }
            ended.signal()
        }
    }

    var reads: Int { state.withLock(\.reads) }

    /// Stops the thread; returns the number of incomplete reads.
    func stop() -> Int {
        state.withLock { $0.isStopping = true }
        ended.wait()
        return state.withLock(\.failures)
    }
}
