// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeAPI
internal import TintypeModel
internal import TintypeSystem

extension JobScheduler {
    func connect(_ client: String) throws(Problem) -> any WorkSession {
        let session = WorkerSession(self)
        let other = change { board, now -> String? in
            if let worker = board.worker { return worker.client }
            board.worker = (session.number, client)
            board.noteWorker(now.time)
            return nil
        }
        wake()
        guard let other else { return session }
        let remedy = "Stop one of the two: tintype-worker.service, or a “tintype work” of another user."
        throw Problem(.configurationConflict, "A worker is connected already (\(other)).", remedy: remedy)
    }

    /// Ends the claims of the worker with this number, or of any for nil; no effect on the one that came after it.
    func disconnect(_ number: Int?) {
        change { board, now in
            guard let worker = board.worker, number ?? worker.number == worker.number else { return }
            board.worker = nil
            board.endBatches()
            board.noteWorker(now.time)
        }
    }
}

/// Connected worker; its release disconnects it.
final class WorkerSession: WorkSession {
    /// Longest time without an order.
    static let pause = Duration.seconds(5)
    private static let count = Atomic(0)

    let number = WorkerSession.count.add(1, ordering: .relaxed).newValue
    private let scheduler: JobScheduler

    init(_ scheduler: JobScheduler) { self.scheduler = scheduler }

    deinit { end() }

    func next() async -> WorkOrder? {
        let end = scheduler.clock.now + Self.pause
        while !Task.isCancelled {
            let (order, isOver) = scheduler.board.withLock { board in
                board.worker?.number == number ? (board.takeOrder(), false) : (nil, true)
            }
            if isOver { return nil }
            if let order { return order }
            guard scheduler.clock.now < end else { return WorkOrder(.idle) }
            await scheduler.orderWaker.sleep(until: end)
        }
        return nil
    }

    func end() { scheduler.disconnect(number) }
}
