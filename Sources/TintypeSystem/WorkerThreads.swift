// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization
package import TintypeModel

/// A queue of blocking or heavy work and the threads that do it, first come first served.
///
/// Every thread has a `Local` of its own, made when it starts: scratch memory, an encoder, a connection. One thread
/// makes the work serial. The threads end when the queue is released and its work is done; a thread that is stuck in
/// a call is left behind, never waited for.
package final class WorkerThreads<Local: ~Copyable>: Sendable {
    /// A piece of work.
    package typealias Work = @Sendable (inout Local) -> Void

    private let queue: WorkQueue<Local>

    /// Starts `count` threads called `name`, or `name-0`, `name-1` and so on.
    package init(name: String, count: Int, local: @escaping @Sendable () -> Local) {
        precondition(count > 0, "a queue without threads would never do its work")
        let queue = WorkQueue<Local>()
        for index in 0..<count {
            NamedThread.start(name: count == 1 ? name : "\(name)-\(index)") {
                var local = local()
                if let record = NamedThread.record { queue.began(record) }
                while let work = queue.next() { work(&local) }
            }
        }
        self.queue = queue
    }

    deinit { queue.close() }

    /// Puts `work` at the end of the queue and returns at once.
    package func submit(_ work: @escaping Work) { _ = queue.append(work) }

    /// The queue as a watchdog asks it: one of its threads answers, in its turn.
    ///
    /// It need not while work is taken from the queue, or while all of its threads are in calls that may hang
    /// (``CallRecord/marking(_:)``). For one watchdog.
    package func heartbeat(_ name: String) -> Heartbeat {
        Heartbeat(
            name,
            of: queue,
            isExcused: { [queue] in queue.hasMoved() || queue.isInCall() },
            ask: { answer in self.submit { _ in answer() } }
        )
    }

    /// Runs `work` on one of the threads and suspends until it is done, until `deadline` by `clock`, or until the task is
    /// cancelled.
    ///
    /// Work that had begun by then still ends, and its result is thrown away; other work is let go of, with all that it
    /// holds: the threads may never come to it.
    ///
    /// Throws what `work` throws, `otherwise` at the deadline, and a problem with code `stopping` when cancelled.
    package func perform<Value: Sendable>(
        until deadline: MonotonicTime,
        by clock: any MonotonicClock = .system,
        otherwise: @autoclosure () -> Problem,
        _ work: @escaping @Sendable (inout Local) throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        let reply = Reply<Value>(clock: clock)
        let number = queue.append { local in
            guard reply.isAwaited else { return }
            do throws(Problem) {
                reply.resolve(.success(try work(&local)))
            } catch {
                reply.resolve(.failure(error))
            }
        }
        do throws(Problem) {
            return try await reply.value(until: deadline, otherwise: otherwise())
        } catch {
            queue.remove(number)
            throw error
        }
    }
}

/// The queue that the threads of one ``WorkerThreads`` share; it outlives them, not the other way round.
@safe private final class WorkQueue<Local: ~Copyable>: Sendable {
    private struct State {
        var waiting: [(number: UInt64, work: WorkerThreads<Local>.Work)] = []
        /// The number of the last piece of work that came.
        var last: UInt64 = 0
        var isClosed = false
        var threads: [CallRecord] = []
        /// The pieces of work that were taken, and how many of them when that was last looked at.
        var (taken, seen) = (UInt64(0), UInt64(0))
    }

    private let state = Mutex(State())
    /// Counts pieces of work (sem_overview(7)): each wakes one of the threads that wait, where eventfd(2) wakes all.
    ///
    /// Memory of its own, which lasts as long as this object; threads may share it.
    private nonisolated(unsafe) let available: UnsafeMutablePointer<sem_t>

    init() {
        unsafe available = .allocate(capacity: 1)
        unsafe sem_init(available, 0, 0)
    }

    deinit {
        unsafe sem_destroy(available)
        unsafe available.deallocate()
    }

    func began(_ thread: CallRecord) { state.withLock { $0.threads.append(thread) } }

    func isInCall() -> Bool {
        let threads = state.withLock(\.threads)
        return !threads.isEmpty && threads.allSatisfy { $0.running != nil }
    }

    /// Whether work was taken since this was last asked.
    func hasMoved() -> Bool {
        state.withLock { state in
            defer { state.seen = state.taken }
            return state.taken != state.seen
        }
    }

    func append(_ work: @escaping WorkerThreads<Local>.Work) -> UInt64 {
        defer { unsafe sem_post(available) }
        return state.withLock { state in
            state.last += 1
            state.waiting.append((state.last, work))
            return state.last
        }
    }

    /// Lets go of the work of this number, unless it has been taken.
    func remove(_ number: UInt64) {
        let gone = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
        // What it holds is released outside of the lock.
        withExtendedLifetime(gone) {}
    }

    /// The next piece of work, waited for; nil once the queue is closed and empty.
    func next() -> WorkerThreads<Local>.Work? {
        while true {
            guard unsafe sem_wait(available) == 0 else { continue }  // EINTR
            let (work, isClosed) = state.withLock { state in
                guard !state.waiting.isEmpty else { return (nil as WorkerThreads<Local>.Work?, state.isClosed) }
                state.taken += 1
                return (state.waiting.removeFirst().work, state.isClosed)
            }
            if let work { return work }
            guard isClosed else { continue }
            unsafe sem_post(available)  // for the next thread
            return nil
        }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        unsafe sem_post(available)
    }
}
