// SPDX-License-Identifier: Apache-2.0
internal import CV4L2
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
                while let work = queue.next() { work(&local) }
            }
        }
        self.queue = queue
    }

    deinit { queue.close() }

    /// Puts `work` at the end of the queue and returns at once.
    package func submit(_ work: @escaping Work) { queue.append(work) }

    /// Runs `work` on one of the threads and suspends until it is done, until `deadline` by `clock`, or until the task is
    /// cancelled.
    ///
    /// Work that had begun by then still ends, and its result is thrown away.
    ///
    /// Throws what `work` throws, `otherwise` at the deadline, and a problem with code `stopping` when cancelled.
    package func perform<Value: Sendable>(
        until deadline: MonotonicTime,
        by clock: any MonotonicClock = .system,
        otherwise: @autoclosure () -> Problem,
        _ work: @escaping @Sendable (inout Local) throws(Problem) -> Value
    ) async throws(Problem) -> Value {
        let reply = Reply<Value>(clock: clock)
        submit { local in
            guard reply.isAwaited else { return }
            do throws(Problem) {
                reply.resolve(.success(try work(&local)))
            } catch {
                reply.resolve(.failure(error))
            }
        }
        return try await reply.value(until: deadline, otherwise: otherwise())
    }
}

/// The queue that the threads of one ``WorkerThreads`` share; it outlives them, not the other way round.
private final class WorkQueue<Local: ~Copyable>: Sendable {
    private struct State {
        var work: [WorkerThreads<Local>.Work] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Counts pieces of work: eventfd(2) with EFD_SEMAPHORE, read by the threads that wait.
    private let available: CInt

    init() {
        available = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_SEMAPHORE))
        precondition(available >= 0, "eventfd: error \(errno); raise the limit of open files (LimitNOFILE=, ulimit -n)")
    }

    deinit { Glibc.close(available) }

    func append(_ work: @escaping WorkerThreads<Local>.Work) {
        state.withLock { $0.work.append(work) }
        eventfd_write(available, 1)
    }

    /// The next piece of work, waited for; nil once the queue is closed and empty.
    func next() -> WorkerThreads<Local>.Work? {
        while true {
            var count: eventfd_t = 0
            guard unsafe eventfd_read(available, &count) == 0 else { continue }  // EINTR
            let (work, isClosed) = state.withLock { state in
                (state.work.isEmpty ? nil : state.work.removeFirst(), state.isClosed)
            }
            if let work { return work }
            guard isClosed else { continue }
            eventfd_write(available, 1)  // for the next thread
            return nil
        }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        eventfd_write(available, 1)
    }
}
