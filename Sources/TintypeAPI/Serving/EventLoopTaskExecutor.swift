// SPDX-License-Identifier: Apache-2.0
internal import NIOCore

/// Runs the tasks of a connection on the thread of its event loop, where its bytes arrive and leave.
///
/// On the cooperative pool each request would wake two threads more, one there and one back: on a machine that was idle
/// that is most of what a small request costs. Nothing in a handler blocks, here as little as there.
final class EventLoopTaskExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
