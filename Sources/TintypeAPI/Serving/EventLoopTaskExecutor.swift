// SPDX-License-Identifier: Apache-2.0
internal import NIOCore
internal import NIOPosix
internal import Synchronization
internal import TintypeSystem

/// Runs the tasks of a connection on the thread of its event loop.
///
/// On the cooperative pool each request would wake two more threads, one each way, which is most of the cost of a small
/// request on an idle machine. Handlers must not block, as on the pool.
final class EventLoopTaskExecutor: TaskExecutor {
    private let jobs: EventLoopJobs
    private let client: String

    init(_ jobs: EventLoopJobs, of client: String) { (self.jobs, self.client) = (jobs, client) }

    func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job), of: client, on: self) }
}

/// Jobs of all connections of an event loop, run for the clients in turn.
///
/// SwiftNIO polls the sockets of a loop only when no task is left to run at once, so connections that always have a
/// further request would keep out all others. Therefore the loop polls after ``longestRun`` jobs at the latest.
final class EventLoopJobs: Sendable {
    private typealias Job = (job: UnownedJob, executor: EventLoopTaskExecutor)

    private struct State {
        var waiting = FairQueue<Job>()
        /// Number of jobs run since the last pause.
        var run = 0
        /// True if the loop will run the jobs, at once or after a pause.
        var isScheduled = false
    }

    static let longestRun = 64
    /// Longer than the loop takes for its other tasks, so that it polls meanwhile.
    private static let pause = TimeAmount.microseconds(50)

    /// By event loop of the singleton group, which all servers and their clients use.
    private static let all = Dictionary(
        MultiThreadedEventLoopGroup.singleton.makeIterator().map { (ObjectIdentifier($0), EventLoopJobs($0)) },
        uniquingKeysWith: { first, _ in first }
    )

    private let eventLoop: any EventLoop
    private let state = Mutex(State())

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    static func of(_ eventLoop: any EventLoop) -> EventLoopJobs {
        all[ObjectIdentifier(eventLoop)] ?? EventLoopJobs(eventLoop)
    }

    func append(_ job: UnownedJob, of client: String, on executor: EventLoopTaskExecutor) {
        let isFirst = state.withLock { state in
            state.waiting.append((job, executor), of: client)
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
            // Behind what the jobs have given to the loop, so that the pause is not over before that.
            eventLoop.execute { _ = self.eventLoop.scheduleTask(in: Self.pause) { self.run() } }
        } else {
            eventLoop.execute { self.run() }
        }
    }

    private func run() {
        while true {
            let (next, hasMore) = state.withLock { state -> (Job?, Bool) in
                guard state.run < Self.longestRun, let next = state.waiting.popFirst() else {
                    state.isScheduled = !state.waiting.isEmpty
                    return (nil, state.isScheduled)
                }
                state.run += 1
                return (next, true)
            }
            guard let next else { return hasMore ? schedule() : () }
            unsafe next.job.runSynchronously(on: next.executor.asUnownedTaskExecutor())
        }
    }
}
