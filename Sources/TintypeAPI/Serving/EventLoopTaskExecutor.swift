// SPDX-License-Identifier: Apache-2.0
internal import NIOCore

/// Runs the tasks of a connection on the thread of its event loop.
///
/// On the cooperative pool each request would wake two more threads, one each way, which is most of the cost of a small
/// request on an idle machine. Handlers must not block, as on the pool.
final class EventLoopTaskExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
