// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeThreads

/// Work that must not be done by two encoding threads at once.
///
/// What waits in line holds no thread: the next piece goes to the threads when the one before it is done. Any thread;
/// never blocks.
final class EncodingLine: Sendable {
    typealias Work = WorkerThreads<EncodingThreads.Codecs>.Work

    private struct State {
        var isBusy = false
        var waiting: [Work] = []
    }

    private let state = Mutex(State())

    /// Puts `work` at the end of the line and returns at once.
    func submit(_ work: @escaping Work, to threads: WorkerThreads<EncodingThreads.Codecs>) {
        let isFirst = state.withLock { state in
            if state.isBusy { state.waiting.append(work) }
            return !exchange(&state.isBusy, with: true)
        }
        if isFirst { run(work, on: threads) }
    }

    private func run(_ work: @escaping Work, on threads: WorkerThreads<EncodingThreads.Codecs>) {
        threads.submit { [self] codecs in
            work(&codecs)
            let next = state.withLock { state -> Work? in
                guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
                state.isBusy = false
                return nil
            }
            if let next { run(next, on: threads) }
        }
    }
}
