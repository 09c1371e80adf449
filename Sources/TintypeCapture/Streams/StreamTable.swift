// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeModel
package import TintypeSystem

/// The live streams of a camera and their statistics; any thread, never blocks.
package final class StreamTable: Sendable {
    private typealias Stream = (status: StreamStatus, rate: RateMeter)

    private let streams = Mutex<[UInt64: Stream]>([:])
    private let clock: any MonotonicClock
    /// Last stream id, counted across all cameras.
    private static let lastID = Atomic<UInt64>(0)

    package init(clock: any MonotonicClock) { self.clock = clock }

    /// Status of the streams, oldest first; nil if none.
    package var status: [StreamStatus]? {
        let all = streams.withLock { Array($0.values) }
        let now = clock.now
        return all.isEmpty
            ? nil
            : all.map { stream in
                var status = stream.status
                status.framesPerSecond = stream.rate.rate(at: now)
                return status
            }
            .sorted { $0.id < $1.id }
    }

    func add(_ request: StreamRequest) -> UInt64 {
        let id = Self.lastID.add(1, ordering: .relaxed).newValue
        streams.withLock { $0[id] = (StreamStatus(id: id, since: clock.wall, request), RateMeter()) }
        return id
    }

    /// Records a delivered picture of `bytes` bytes, and the number of due pictures missed before it.
    func note(_ bytes: Int, dropped: UInt64, of id: UInt64) {
        let now = clock.now
        streams.withLock { streams in
            guard var (status, rate) = streams[id] else { return }
            status.sent += 1
            status.dropped += dropped
            status.bytes += UInt64(bytes)
            rate.count(at: now)
            streams[id] = (status, rate)
        }
    }

    func remove(_ id: UInt64) { streams.withLock { $0[id] = nil } }
}
