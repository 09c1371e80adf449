// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeModel
internal import TintypeSystem

/// The last seconds of a camera, as JPEG pictures in memory that never grows.
///
/// A frame of a JPEG camera is copied into it as it came; another's is encoded for it, at most two at a time, and one that
/// comes meanwhile is left out and counted. The oldest gives way: to time, except those that a client reads one by one,
/// and to the limit of memory. Its memory is there from the first frame until the camera is closed. Any thread; blocks no
/// longer than one picture takes to be copied.
package final class FrameRing: Sendable {
    struct State {
        var memory: FrameMemory?
        var table: RingTable
        /// Frames that are being encoded, in order.
        var pending: [Pending] = []
        /// The index of the next frame that comes.
        var next: UInt64 = 0
        var dropped: UInt64 = 0
        /// Frames that were encoded for it.
        var encoded: UInt64 = 0
        /// The time that encoding threads have spent on them.
        var encodeTime = Duration.zero
        /// Frames whose exposure began later are all there, or were dropped; nil before the first.
        var reach: MonotonicTime?
        /// Whether a frame had to go for another since it was empty.
        var isFull = false
        /// How long the machine had been suspended when the newest frame came.
        var slept = Duration.zero
        var readers: [UInt64: UInt64] = [:]
        var nextReader: UInt64 = 0
        /// Counts how often it was emptied.
        var generation: UInt64 = 0
        var waiters: [Reply<Bool>] = []
    }

    /// A frame that is being encoded.
    struct Pending {
        let index: UInt64
        let stamp: FrameStamp
        let key: FrameKey
        var result: Result<RenderedPicture, Gone>?
    }

    /// A picture could not be made.
    struct Gone: Error {}

    /// The most frames that are encoded for it at a time.
    private static let mostPending = 2

    let clock: any MonotonicClock
    /// How much of the past it keeps.
    package let configuration: RingConfiguration
    /// What is encoded for it: what a still is that asks for nothing special.
    let rendition: Rendition
    let state: Mutex<State>

    init(_ configuration: RingConfiguration, clock: any MonotonicClock = .system) {
        self.configuration = configuration
        self.clock = clock
        rendition = Rendition(StillRendering(), integrity: .strict, usualQuality: configuration.quality)
        state = Mutex(State(table: RingTable(limit: configuration.byteCount)))
    }

    // MARK: - The session's side

    /// Copies a frame that is a JPEG picture.
    func keep(_ bytes: RawSpan, _ stamp: FrameStamp, key: FrameKey, layout: PictureLayout, slept: Duration) {
        let waiters = state.withLock { state -> [Reply<Bool>] in
            state.slept = slept
            let index = state.next
            state.next += 1
            let range = 0..<bytes.byteCount
            let entry = RingTable.Entry(index: index, stamp: stamp, key: key, layout: layout, range: range)
            if let place = makeRoom(for: entry, in: &state) { state.memory?.write(bytes, at: place) }
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resolve(.success(true)) }
    }

    /// Whether a frame is to be encoded for it; then ``complete(_:_:)`` has to follow.
    func reserve(_ stamp: FrameStamp, key: FrameKey, slept: Duration) -> Bool {
        state.withLock { state in
            state.slept = slept
            let index = state.next
            state.next += 1
            guard state.pending.count < Self.mostPending else {
                state.dropped += 1
                return false
            }
            state.pending.append(Pending(index: index, stamp: stamp, key: key))
            return true
        }
    }

    /// Takes what was made of a frame, and how long that took; nil if nothing could be made of it.
    func complete(_ key: FrameKey, _ picture: RenderedPicture?, took: Duration = .zero) {
        let (waiters, hasCome) = state.withLock { state -> ([Reply<Bool>], Bool) in
            guard let index = state.pending.firstIndex(where: { $0.key == key }) else { return ([], false) }
            var hasCome = false
            if picture != nil {
                state.encoded += 1
                state.encodeTime += took
            }
            state.pending[index].result = picture.map { .success($0) } ?? .failure(Gone())
            // Two threads may finish in another order than they began.
            while let first = state.pending.first, let result = first.result {
                state.pending.removeFirst()
                switch result {
                case .failure: state.dropped += 1
                case .success(let picture):
                    hasCome = true
                    let entry = RingTable.Entry(
                        index: first.index,
                        stamp: first.stamp,
                        key: first.key,
                        layout: .jpeg(picture.size),
                        range: 0..<picture.jpeg.count
                    )
                    if let place = makeRoom(for: entry, in: &state) { state.memory?.write(picture.jpeg, at: place) }
                }
            }
            return (state.takeWaiters(), hasCome)
        }
        for waiter in waiters { waiter.resolve(.success(hasCome)) }
    }

    /// Forgets everything and gives the memory back: the camera is closed, or the machine was suspended.
    func clear() {
        let waiters = state.withLock { state -> [Reply<Bool>] in
            guard state.memory != nil || !state.pending.isEmpty else { return [] }
            state.table = RingTable(limit: configuration.byteCount)
            state.memory = nil
            state.pending = []
            state.reach = nil
            state.isFull = false
            state.generation += 1
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resolve(.success(true)) }
    }

    /// Removes what has to go for a frame and enters it at its place; returns where its bytes have to be written, nil if
    /// it is left out.
    private func makeRoom(for frame: RingTable.Entry, in state: inout State) -> Int? {
        var entry = frame
        let count = frame.range.count
        if state.memory == nil { state.memory = FrameMemory(byteCount: configuration.byteCount) }
        guard state.memory != nil, state.table.canHold(count) else {
            state.dropped += 1
            return nil
        }
        state.expire(configuration.reach, at: entry.stamp.dequeued)
        // A frame may begin before the one that came before it, by their stamps: after one whose stamp was not believed, or with
        // another lead. Those give way, since frames are found by their times.
        while let last = state.table.last, last.stamp.exposureStart >= entry.stamp.exposureStart {
            state.table.removeLast()
            state.dropped += 1
            if state.table.count == 0 { state.reach = nil }
        }
        while true {
            guard let place = state.table.place(for: count) else {
                state.removeFirst()
                continue
            }
            state.reach = state.reach ?? entry.stamp.exposureStart - .nanoseconds(1)
            entry.range = place..<(place + count)
            state.table.append(entry)
            return place
        }
    }

    /// What it holds and what it costs.
    var status: RingStatus {
        state.withLock { state in
            let span = state.table.first.flatMap { first in
                state.table.last.map { $0.stamp.exposureStart - first.stamp.exposureStart }
            }
            var status = RingStatus(seconds: configuration.seconds, megabytes: configuration.megabytes)
            status.frames = state.table.count
            status.bytes = state.table.bytes
            status.spanMs = Milliseconds(span ?? .zero)
            status.dropped = state.dropped
            status.encoded = state.encoded
            status.encodingMs = Milliseconds(state.encodeTime)
            return status
        }
    }
}

extension FrameRing.State {
    fileprivate mutating func takeWaiters() -> [Reply<Bool>] { exchange(&waiters, with: []) }

    fileprivate mutating func removeFirst() {
        if let first = table.first {
            reach = first.stamp.exposureStart
            isFull = true
        }
        table.removeFirst()
    }

    /// Removes what is older than `limit`, and needed neither for the moment that long ago nor by a reader.
    mutating func expire(_ limit: Duration, at now: MonotonicTime) {
        let pinned = readers.isEmpty ? nil : readers.values.min()
        while table.count > 1, let first = table.first, pinned.map({ first.index < $0 }) ?? true,
            let second = table.entry(from: first.index + 1), second.stamp.exposureStart <= now - limit
        {
            removeFirst()
        }
    }
}

extension PictureLayout {
    /// A JPEG picture of this size.
    static func jpeg(_ size: FrameSize) -> PictureLayout {
        PictureLayout(pixelFormat: .mjpeg, size: size, bytesPerRow: 0, color: .jfif)
    }
}

/// How much of the past a camera keeps.
package struct RingConfiguration: Hashable, Sendable {
    /// How far it reaches back.
    package var seconds: Int
    /// The most memory that it takes, in MiB.
    package var megabytes: Int
    /// The JPEG quality of what is encoded for it: the camera's own, so that stills share the encode.
    package var quality: Int

    /// A ring of this size; what is left out has its default.
    package init(
        seconds: Int = RingConfiguration.defaultSeconds,
        megabytes: Int = RingConfiguration.defaultMegabytes,
        quality: Int
    ) {
        self.seconds = seconds
        self.megabytes = megabytes
        self.quality = quality
    }

    /// What ``seconds`` is where only the rest is said.
    package static let defaultSeconds = 5
    /// What ``megabytes`` is where only the rest is said.
    package static let defaultMegabytes = 32
    /// What ``seconds`` can be.
    package static let secondsRange = 1...3600
    /// What ``megabytes`` can be.
    package static let megabytesRange = 1...4096

    /// How far it reaches back.
    package var reach: Duration { .seconds(seconds) }
    /// The most memory that it takes, in bytes.
    var byteCount: Int { megabytes << 20 }
}
