// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Logging
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Writes log lines in order on a separate thread, so that logging never blocks.
///
/// If the reader stops reading, up to ``capacity`` bytes are queued, or one longer line. Further lines are dropped
/// until the queue is empty; a line then reports their number.
final class LogWriter: Sendable {
    /// 64 KiB, some hundreds of lines.
    static let capacity = 64 << 10

    private struct State {
        var waiting = 0
        var lost = 0
    }

    private let state = Mutex(State())
    private let thread = WorkerThreads(name: "tt-log", count: 1) {}
    private let put: @Sendable (LogLine) -> Void
    private let reader: LogLine.Reader

    /// `put` writes a line on the writer's thread, and may block.
    init(for reader: LogLine.Reader, put: @escaping @Sendable (LogLine) -> Void = { StandardError.write($0.text) }) {
        (self.reader, self.put) = (reader, put)
    }

    /// Queues `line`, or counts it as dropped; any thread, never blocks.
    func write(_ line: LogLine) {
        let size = line.size
        let isTaken = state.withLock { state in
            // With an empty queue, no later write would report the loss, so the line is always accepted.
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
            guard lost > 0 else { return }
            let text = CountText.text(lost, "log line was", "log lines were") + " lost because nothing read them"
            put(LogLine(.warning, text, for: reader))
        }
    }

    /// Blocks up to `limit`, by the system clock, until all queued lines are written; for use before exit.
    func flush(within limit: Duration) {
        let isWritten = DispatchSemaphore(value: 0)
        thread.submit { _ in isWritten.signal() }
        _ = isWritten.wait(timeout: .now() + .nanoseconds(Int(limit.nanosecondCount)))
    }
}
