// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// Runs the tasks of connections on the thread of their event loop; one for each event loop.
///
/// On the cooperative pool each request would wake two more threads, one each way, which is most of the cost of a small
/// request on an idle machine. Handlers must not block, as on the pool.
///
/// SwiftNIO polls the sockets of a loop only when no task is left to run at once, so connections that always have a
/// further request would keep out all others. Therefore the loop polls after ``longestRun`` jobs at the latest.
final class EventLoopTaskExecutor: TaskExecutor {
    private struct State {
        var jobs = CircularBuffer<UnownedJob>()
        /// Number of jobs run since the last pause.
        var run = 0
        /// True if the loop will run the jobs, at once or after a pause.
        var isScheduled = false
    }

    static let longestRun = 64
    /// Longer than the loop takes for its other tasks, so that it polls meanwhile.
    private static let pause = TimeAmount.microseconds(50)

    /// By event loop of the singleton group, which all servers and their clients use.
    private static let executors = Dictionary(
        MultiThreadedEventLoopGroup.singleton.makeIterator().map { (ObjectIdentifier($0), EventLoopTaskExecutor($0)) },
        uniquingKeysWith: { first, _ in first }
    )

    private let eventLoop: any EventLoop
    private let state = Mutex(State())

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// The executor that the connections of `eventLoop` share.
    static func shared(by eventLoop: any EventLoop) -> EventLoopTaskExecutor {
        executors[ObjectIdentifier(eventLoop)] ?? EventLoopTaskExecutor(eventLoop)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isFirst = state.withLock { state in
            state.jobs.append(job)
            return !exchange(&state.isScheduled, with: true)
        }
        if isFirst { schedule() }
    }

    /// Lets the loop run the jobs: at once, or after a pause for polling.
    private func schedule() {
        let pauses = state.withLock { state in
            guard state.run >= Self.longestRun else { return false }
            state.run = 0
            return true
        }
        if pauses {
            _ = eventLoop.scheduleTask(in: Self.pause) { self.run() }
        } else {
            eventLoop.execute { self.run() }
        }
    }

    private func run() {
        while true {
            let (job, hasMore) = state.withLock { state -> (UnownedJob?, Bool) in
                guard state.run < Self.longestRun, let job = state.jobs.popFirst() else {
                    state.isScheduled = !state.jobs.isEmpty
                    return (nil, state.isScheduled)
                }
                state.run += 1
                return (job, true)
            }
            guard let job else { return hasMore ? schedule() : () }
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
