// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// The last seconds of a camera as JPEG pictures, in memory of fixed size, freed when the camera is closed.
///
/// JPEG frames are copied as delivered, others encoded, at most two at a time; those that arrive meanwhile are left
/// out. The oldest are removed by age, unless a reader needs them, and by the memory limit. Any thread;
/// blocks no longer than the copy of one picture.
package final class FrameRing: Sendable {
    struct State {
        var memory: FrameMemory?
        var table: RingTable
        var pending: [Pending] = []
        var next: UInt64 = 0
        var dropped: UInt64 = 0
        var encoded: UInt64 = 0
        var encodeTime = Duration.zero
        /// The ring has all frames exposed after this time, except dropped ones; nil before the first frame.
        var reach: MonotonicTime?
        var isFull = false
        /// Total suspend time of the machine at the newest frame.
        var slept = Duration.zero
        var readers: [UInt64: UInt64] = [:]
        var nextReader: UInt64 = 0
        var generation: UInt64 = 0
        var waiters: [Reply<Bool>] = []

        fileprivate mutating func number(_ slept: Duration) -> UInt64 {
            self.slept = slept
            defer { next += 1 }
            return next
        }

        fileprivate mutating func takeWaiters() -> [Reply<Bool>] { exchange(&waiters, with: []) }

        fileprivate mutating func removeFirst() {
            if let first = table.first {
                reach = max(reach ?? first.stamp.exposureStart, first.stamp.exposureStart)
                isFull = true
            }
            table.removeFirst()
        }

        mutating func reset() {
            (table, pending, reach) = (RingTable(limit: table.limit), [], nil)
            generation += 1
        }

        /// Removes frames older than `limit`, except those that a reader needs and the one being exposed at the limit.
        mutating func expire(_ limit: Duration, at now: MonotonicTime) {
            let pinned = readers.isEmpty ? nil : readers.values.min()
            while table.count > 1, let first = table.first, pinned.map({ first.index < $0 }) ?? true,
                let second = table.entry(from: first.index + 1), second.stamp.exposureStart <= now - limit
            {
                removeFirst()
            }
        }
    }

    struct Pending {
        let index: UInt64
        let stamp: FrameStamp
        var isDone = false
        /// Nil until it is done, and if encoding failed.
        var image: EncodedImage?
    }

    private static let mostPending = 2

    let clock: any MonotonicClock
    package let configuration: RingConfiguration
    /// Options of the ring's pictures, as of a still with default parameters; a look is applied to what is read.
    let options: EncodingOptions
    let state: Mutex<State>

    init(_ configuration: RingConfiguration, clock: any MonotonicClock = .system) {
        (self.configuration, self.clock) = (configuration, clock)
        options = EncodingOptions(ImageOptions(), integrity: .strict, usualQuality: configuration.quality)
        state = Mutex(State(table: RingTable(limit: configuration.byteCount)))
    }

    func keep(_ bytes: RawSpan, _ stamp: FrameStamp, layout: PictureLayout, slept: Duration) {
        let waiters = state.withLock { state -> [Reply<Bool>] in
            let (index, count) = (state.number(slept), bytes.byteCount)
            let entry = RingTable.Entry(index: index, stamp: stamp, layout: layout, count: count)
            if let place = makeRoom(for: entry, in: &state) { state.memory?.write(bytes, at: place) }
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resolve(.success(true)) }
    }

    /// Reserves an entry for a frame; if true, it must be encoded and passed to ``complete(_:_:took:)``.
    func reserve(_ stamp: FrameStamp, slept: Duration) -> Bool {
        state.withLock { state in
            let index = state.number(slept)
            guard state.pending.count < Self.mostPending else {
                state.dropped += 1
                return false
            }
            state.pending.append(Pending(index: index, stamp: stamp))
            return true
        }
    }

    func complete(_ key: FrameKey, _ image: EncodedImage?) {
        let (waiters, hasCome) = state.withLock { state -> ([Reply<Bool>], Bool) in
            guard let index = state.pending.firstIndex(where: { $0.stamp.key == key }) else { return ([], false) }
            var hasCome = false
            if let image {
                state.encoded += 1
                state.encodeTime += image.encodeTime
            }
            (state.pending[index].isDone, state.pending[index].image) = (true, image)
            // Encoding threads may finish out of order.
            while let first = state.pending.first, first.isDone {
                state.pending.removeFirst()
                guard let image = first.image else {
                    state.dropped += 1
                    continue
                }
                hasCome = true
                let (layout, count) = (PictureLayout.jpeg(image.size), image.jpeg.count)
                let entry = RingTable.Entry(index: first.index, stamp: first.stamp, layout: layout, count: count)
                if let place = makeRoom(for: entry, in: &state) { state.memory?.write(image.jpeg, at: place) }
            }
            return (state.takeWaiters(), hasCome)
        }
        for waiter in waiters { waiter.resolve(.success(hasCome)) }
    }

    /// Clears the ring and frees its memory, because the camera is closed or the machine was suspended.
    func clear() {
        let waiters = state.withLock { state -> [Reply<Bool>] in
            guard state.memory != nil || !state.pending.isEmpty else { return [] }
            state.reset()
            (state.memory, state.isFull) = (nil, false)
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resolve(.success(true)) }
    }

    /// Removes frames as required and enters `frame`; returns the offset for its bytes, or nil if it is left out.
    private func makeRoom(for frame: RingTable.Entry, in state: inout State) -> Int? {
        var entry = frame
        let count = frame.count
        if state.memory == nil { state.memory = FrameMemory(byteCount: configuration.byteCount) }
        guard state.memory != nil, state.table.canHold(count) else {
            state.dropped += 1
            return nil
        }
        state.expire(configuration.reach, at: entry.stamp.dequeued)
        while true {
            guard let place = state.table.place(for: count) else {
                state.removeFirst()
                continue
            }
            state.reach = state.reach ?? entry.stamp.exposureStart - .nanoseconds(1)
            entry.place = place
            state.table.append(entry)
            return place
        }
    }

    var status: RingStatus {
        state.withLock { state in
            let span = state.table.first.flatMap { first in
                state.table.last.map { $0.stamp.exposureStart - first.stamp.exposureStart }
            }
            var status = RingStatus(seconds: configuration.seconds, megabytes: configuration.megabytes)
            status.frames = state.table.count
            status.bytes = state.table.bytes
            status.spanMs = Milliseconds(max(.zero, span ?? .zero))
            status.dropped = state.dropped
            status.encoded = state.encoded
            status.encodingMs = Milliseconds(state.encodeTime)
            return status
        }
    }
}

extension PictureLayout {
    static func jpeg(_ size: FrameSize) -> PictureLayout {
        PictureLayout(pixelFormat: .mjpeg, size: size, bytesPerRow: 0, color: .jfif)
    }
}

package struct RingConfiguration: Hashable, Sendable {
    package var seconds: Int
    /// Maximum memory in MiB.
    package var megabytes: Int
    /// JPEG quality of encoded pictures: the camera's default, so that stills share the encode.
    package var quality: Int

    package init(
        seconds: Int = RingConfiguration.defaultSeconds,
        megabytes: Int = RingConfiguration.defaultMegabytes,
        quality: Int
    ) {
        (self.seconds, self.megabytes, self.quality) = (seconds, megabytes, quality)
    }

    package static let defaultSeconds = 5
    package static let defaultMegabytes = 32
    package static let secondsRange = 1...3600
    package static let megabytesRange = 1...4096

    package var reach: Duration { .seconds(seconds) }
    var byteCount: Int { megabytes << 20 }
}
