// SPDX-License-Identifier: Apache-2.0
internal import CoreMetrics
internal import Synchronization
internal import TintypeModel
internal import TintypeSystem

/// The stills that are on their way into a spool: bounded, since a disk that does not answer would gather pictures
/// without end.
final class StoreIntake: Sendable {
    static let limit = 128

    private struct State {
        var count = 0
        var lastNumber: UInt64 = 0
        var written: [WrittenStill] = []
        var isClosed = false
        var drained: Reply<Void>?
    }

    private let state = Mutex(State())
    private let waiting: Meter
    private let clock: any MonotonicClock

    /// Those of the spool of this name; there are none yet.
    init(spool: String, clock: any MonotonicClock) {
        waiting = Meter(label: MetricName.waitingStills.rawValue, dimensions: [("spool", spool)])
        self.clock = clock
    }

    var isClosed: Bool { state.withLock(\.isClosed) }

    /// Takes a still in; the receiver of the job lets it leave.
    ///
    /// Throws `stopping` and `too-many-requests`.
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

    /// A still has left: it is stored, has failed, or no client waited for it.
    func leave() {
        let drained = state.withLock { state -> Reply<Void>? in
            state.count -= 1
            waiting.set(state.count)
            return state.count == 0 && state.isClosed ? state.drained : nil
        }
        drained?.resolve(.success(()))
    }

    /// Adds a still to those that wait for their rows; whether it is the only one, so that the storage thread must be
    /// told.
    func append(_ still: WrittenStill) -> Bool {
        state.withLock { state in
            state.written.append(still)
            return state.written.count == 1
        }
    }

    /// Takes the first of the stills that wait for their rows; whether there are more.
    func takeWritten(atMost count: Int) -> (stills: [WrittenStill], isMore: Bool) {
        state.withLock { state in
            let stills = Array(state.written.prefix(count))
            state.written.removeFirst(stills.count)
            return (stills, !state.written.isEmpty)
        }
    }

    /// Takes nothing in from now on.
    ///
    /// Returns what is answered once the last still has left; nil if none is on its way.
    func close() -> Reply<Void>? {
        state.withLock { state in
            state.isClosed = true
            guard state.count > 0 else { return nil }
            // A second caller of close waits on its own: a reply has one waiting task.
            let drained = Reply<Void>(clock: clock)
            state.drained = drained
            return drained
        }
    }
}
