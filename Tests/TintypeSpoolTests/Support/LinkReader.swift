// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization

/// A thread that reads a file again and again, and counts how often it was not there whole.
final class LinkReader: Sendable {
    private struct State {
        var reads = 0
        var failures = 0
        var isStopping = false
    }

    private final class Shared: Sendable {
        let state = Mutex(State())
        let ended = DispatchSemaphore(value: 0)
    }

    private let shared = Shared()

    init(_ path: String, whole: [UInt8]) {
        let shared = shared
        Thread.detachNewThread {
            var isStopping = false
            while !isStopping {
                let read = try? Data(contentsOf: URL(fileURLWithPath: path))
                isStopping = shared.state.withLock { state in
                    state.reads += 1
                    if read.map([UInt8].init) != whole { state.failures += 1 }
                    return state.isStopping
                }
            }
            shared.ended.signal()
        }
    }

    /// How often it has read the file.
    var reads: Int { shared.state.withLock(\.reads) }

    /// Ends the thread; returns how often the file was not there whole.
    func stop() -> Int {
        shared.state.withLock { $0.isStopping = true }
        shared.ended.wait()
        return shared.state.withLock(\.failures)
    }
}
