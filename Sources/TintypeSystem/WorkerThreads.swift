// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel

/// Queue of blocking or heavy work and the threads that run it: the work of each client in the order of submission, and
/// that of several clients in turn.
///
/// Each thread has its own `Local`, created when it starts: scratch memory, an encoder, a connection. The threads end
/// when the queue is released and empty; one stuck in a call is abandoned, never joined. Threads that the system
/// refuses at a limit are started with later work.
package final class WorkerThreads<Local: ~Copyable>: Sendable {
    package typealias Work = @Sendable (inout Local) -> Void
    private let queue: WorkQueue<Local>

    /// The threads are named `name`, or `name-0`, `name-1` and so on.
    package init(name: String, count: Int, local: @escaping @Sendable () -> Local) {
        precondition(count > 0, "a queue without threads would never do its work")
        queue = WorkQueue(name: name, count: count, local: local)
        _ = queue.startThreads()
    }

    deinit { queue.close() }

    /// Without a thread, `work` waits until a later submission can start one; `client` is nil for the daemon itself.
    package func submit(for client: String? = nil, _ work: @escaping Work) { _ = queue.append(work, for: client) }

    /// Heartbeat of the queue, answered by one of its threads as other work of the daemon itself.
    ///
    /// Excused while work is being dequeued, while all threads are in calls that may hang
    /// (``CallRecord/marking(_:)``), or while the system refuses the first thread. For one watchdog only.
    package func heartbeat(_ name: String) -> Heartbeat {
        Heartbeat(
            name,
            of: queue,
            isExcused: { [queue] in queue.hasMoved() || queue.isInCall() || queue.hasNoThread },
            ask: { answer in self.submit { _ in answer() } }
        )
    }

    /// Suspends until `work` ends, until `deadline`, or until the task is cancelled.
    ///
    /// Work that has started by then runs to its end and its result is discarded. Queued work is removed and released
    /// at once, as the threads may never reach it. Throws what `work` throws, `otherwise` at the deadline, a problem of
    /// code `stopping` if cancelled, or at once `too-many-requests` if the system refuses the first thread.
    package func perform<Value: Sendable>(
        for client: String? = nil,
        until deadline: MonotonicTime,
        by clock: any MonotonicClock = .system,
        otherwise: @autoclosure () -> Problem,
        _ work: @escaping @Sendable (inout Local) throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        let reply = Reply<Value>(clock: clock)
        let (number, refusal) = queue.append(
            { local in
                guard reply.isAwaited else { return }
                reply.resolve(Result { () throws(Problem) in try work(&local) })
            },
            for: client
        )
        if let refusal { reply.resolve(.failure(refusal.problem)) }
        do throws(Problem) {
            return try await reply.value(until: deadline, otherwise: otherwise())
        } catch {
            queue.remove(number)
            throw error
        }
    }
}

/// Queue shared by the threads of one ``WorkerThreads``, which it outlives.
private final class WorkQueue<Local: ~Copyable>: Sendable {
    private struct State {
        var waiting = FairQueue<(number: UInt64, work: WorkerThreads<Local>.Work)>()
        var last: UInt64 = 0
        var isClosed = false
        var started = 0
        var threads: [CallRecord] = []
        /// Number of pieces of work dequeued, in total and at the last check by ``hasMoved()``.
        var (taken, seen) = (UInt64(0), UInt64(0))
    }

    private let state = Mutex(State())
    private let available = ThreadSemaphore()
    private let name: String
    private let count: Int
    private let local: @Sendable () -> Local

    init(name: String, count: Int, local: @escaping @Sendable () -> Local) {
        (self.name, self.count, self.local) = (name, count, local)
    }

    /// Starts the missing threads; returns the refusal if none runs.
    func startThreads() -> ResourceError? {
        // Under the lock, so that no start by another caller, which may be refused, counts as a thread that runs.
        state.withLock { state -> ResourceError? in
            while state.started < count {
                let name = count == 1 ? self.name : "\(self.name)-\(state.started)"
                do throws(ResourceError) {
                    try NamedThread.start(name: name) { self.run() }
                } catch {
                    return state.started == 0 ? error : nil
                }
                state.started += 1
            }
            return nil
        }
    }

    private func run() {
        var local = self.local()
        if let record = NamedThread.record { state.withLock { $0.threads.append(record) } }
        while let work = next() { work(&local) }
    }

    var hasNoThread: Bool { state.withLock { $0.started == 0 } }

    func isInCall() -> Bool {
        let threads = state.withLock(\.threads)
        return !threads.isEmpty && threads.allSatisfy { $0.running != nil }
    }

    /// True if work was dequeued since the last call.
    func hasMoved() -> Bool {
        state.withLock { state in
            defer { state.seen = state.taken }
            return state.taken != state.seen
        }
    }

    /// Returns the number of the work, and the refusal if there is no thread to run it.
    func append(
        _ work: @escaping WorkerThreads<Local>.Work,
        for client: String? = nil
    ) -> (number: UInt64, refusal: ResourceError?) {
        let (number, isComplete) = state.withLock { state in
            state.last += 1
            state.waiting.append((state.last, work), of: client)
            return (state.last, state.started == count)
        }
        available.post()
        return (number, isComplete ? nil : startThreads())
    }

    func remove(_ number: UInt64) {
        let gone = state.withLock { $0.waiting.remove { $0.number == number } }
        // Released outside the lock, as the deinits of its captures run here.
        withExtendedLifetime(gone) {}
    }

    /// Nil once the queue is closed and empty.
    func next() -> WorkerThreads<Local>.Work? {
        while true {
            available.wait()
            let (work, isClosed) = state.withLock { state in
                guard let work = state.waiting.popFirst()?.work else {
                    return (nil as WorkerThreads<Local>.Work?, state.isClosed)
                }
                state.taken += 1
                return (work, state.isClosed)
            }
            if let work { return work }
            guard isClosed else { continue }
            available.post()  // for the next thread
            return nil
        }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        available.post()
    }
}
