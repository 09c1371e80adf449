// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Writes log lines in their order on a thread of its own, so that logging never blocks the thread that logs.
///
/// Where the reader of the lines stops reading, up to ``capacity`` bytes wait for it, or one line that is longer. Further
/// lines are lost until all that wait are written; a line then says how many were.
final class LogWriter: Sendable {
    /// The bytes that wait at most: 64 KiB, some hundreds of lines.
    static let capacity = 64 << 10

    private struct State {
        var waiting = 0
        var lost = 0
    }

    private let state = Mutex(State())
    private let thread = WorkerThreads(name: "tt-log", count: 1) {}
    private let put: @Sendable (LogLine) -> Void
    private let lossLine: @Sendable (_ sentence: String) -> LogLine

    /// A writer without lines.
    ///
    /// - Parameters:
    ///   - put: writes one line; called on the writer's thread, and may block.
    ///   - lossLine: makes a log line of the sentence that says how many lines were lost.
    init(
        put: @escaping @Sendable (LogLine) -> Void = { StandardError.write($0.text) },
        lossLine: @escaping @Sendable (_ sentence: String) -> LogLine
    ) {
        self.put = put
        self.lossLine = lossLine
    }

    /// Hands `line` to the thread, or counts it as lost.
    ///
    /// Any thread; never blocks.
    func write(_ line: LogLine) {
        let size = line.size
        let isTaken = state.withLock { state in
            // Where none waits, none is written that would tell of the loss.
            guard state.waiting == 0 || state.lost == 0 && state.waiting + size <= Self.capacity else {
                state.lost += 1
                return false
            }
            state.waiting += size
            return true
        }
        guard isTaken else { return }
        thread.submit { [self] _ in
            put(line)
            let lost = state.withLock { state in
                state.waiting -= size
                guard state.waiting == 0 else { return 0 }
                defer { state.lost = 0 }
                return state.lost
            }
            if lost > 0 { put(lossLine(Self.loss(of: lost))) }
        }
    }

    /// Waits until the lines so far are written, for `limit` at most by the machine's clock; for a process that ends.
    ///
    /// Blocks the calling thread.
    func flush(within limit: Duration) {
        let isWritten = DispatchSemaphore(value: 0)
        thread.submit { _ in isWritten.signal() }
        _ = isWritten.wait(timeout: .now() + .nanoseconds(Int(limit.nanosecondCount)))
    }

    private static func loss(of count: Int) -> String {
        "\(count) log \(count == 1 ? "line was" : "lines were") lost because nothing read them"
    }
}
