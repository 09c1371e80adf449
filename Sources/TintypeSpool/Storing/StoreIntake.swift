// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// Stills waiting to be stored; bounded, since pictures would pile up if a disk does not respond.
final class StoreIntake: Sendable {
    static let limit = 128

    private struct State {
        var count = 0
        var lastNumber: UInt64 = 0
        var written: [WrittenStill] = []
        var isClosed = false
        /// One for each call of ``StoreIntake/close()``, since a reply has one waiting task.
        var drained: [Reply<Void>] = []
    }

    private let state = Mutex(State())
    private let waiting: Meter
    private let clock: any MonotonicClock

    init(spool: String, clock: any MonotonicClock) {
        waiting = Meter(label: MetricName.waitingStills.rawValue, dimensions: [("spool", spool)])
        self.clock = clock
    }

    var isClosed: Bool { state.withLock(\.isClosed) }

    /// Admits a still; the receiver of the job must call ``leave()``; throws `stopping` and `too-many-requests`.
    func enter(
        _ still: Still,
        _ durability: Durability,
        _ source: FrameSource,
        folder: String
    ) throws(Problem) -> StoreJob {
        let number = state.withLock { state -> UInt64? in
            guard !state.isClosed, state.count < Self.limit else { return nil }
            state.count += 1
            waiting.set(state.count)
            state.lastNumber += 1
            return state.lastNumber
        }
        if let number {
            return StoreJob(number: number, still: still, durability: durability, source: source, clock: clock)
        }
        if isClosed { throw Spool.closed(folder) }
        throw Problem(
            .tooManyRequests,
            "\(Self.limit) pictures wait for the disk of the spool \(folder) already.",
            remedy: "Send requests more slowly, and look at the disk's load and errors (iostat, dmesg).",
            retryAfter: .seconds(1)
        )
    }

    /// Ends a still: stored, failed, or without a waiting client.
    func leave() {
        let drained = state.withLock { state -> [Reply<Void>] in
            state.count -= 1
            waiting.set(state.count)
            return state.count == 0 ? state.drained : []
        }
        for reply in drained { reply.resolve(.success(())) }
    }

    /// Queues a still for its row; returns true if it is the only one, so that the storage thread must be scheduled.
    func append(_ still: WrittenStill) -> Bool {
        state.withLock { state in
            state.written.append(still)
            return state.written.count == 1
        }
    }

    func takeWritten(atMost count: Int) -> (stills: [WrittenStill], isMore: Bool) {
        state.withLock { state in
            let stills = Array(state.written.prefix(count))
            state.written.removeFirst(stills.count)
            return (stills, !state.written.isEmpty)
        }
    }

    /// Refuses further stills; returns a reply that resolves once the last pending one has left, nil if none is
    /// pending.
    func close() -> Reply<Void>? {
        state.withLock { state in
            state.isClosed = true
            guard state.count > 0 else { return nil }
            let drained = Reply<Void>(clock: clock)
            state.drained.append(drained)
            return drained
        }
    }
}
