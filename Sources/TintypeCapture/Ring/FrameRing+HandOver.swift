// SPDX-License-Identifier: Apache-2.0
internal import Logging
internal import Synchronization
internal import TintypeDevice
internal import TintypeFrames
internal import TintypeModel
internal import TintypeThreads

/// The pictures of a ring that the daemon before has handed over.
package struct RingPast: Sendable {
    let file: CInt
    let camera: Int64

    /// Those in `file`, of the camera that ``FrameRing/handOver(of:_:)`` had the same number for.
    package init(file: CInt, camera: Int64) { (self.file, self.camera) = (file, camera) }
}

/// A ring whose pictures outlast the daemon: the next one takes them over.
///
/// Its memory is a file that the service manager keeps meanwhile. Behind the pictures are the time that the machine has been
/// suspended and the table, in words of 64 bits. Times are those of `CLOCK_MONOTONIC`, which goes on as long as the file can
/// exist.
extension FrameRing {
    /// Why pictures cannot be taken over.
    struct HandOverFault: Error {
        let detail: String
    }

    /// The first word, which is the format of all words: another one for each change.
    private static let format: Int64 = 0x7469_6e74_7970_0001
    /// The words before those of the frames: the format, the bytes, the camera, and for how long the machine was suspended.
    private static let wordsOfRing = 4
    /// The words of a frame, in their order.
    private static let wordsOfFrame = 12

    /// A ring with the pictures of the daemon before, if `past` is its file: it owns that, and logs what came of it.
    convenience init(_ configuration: RingConfiguration, clock: any MonotonicClock, past: RingPast?, logger: Logger) {
        self.init(configuration, clock: clock)
        guard let past else { return }
        do throws(HandOverFault) {
            try takeOver(past)
            logger.notice(
                "the pictures from before the restart are taken over",
                metadata: ["frames": "\(status.frames)"]
            )
        } catch {
            logger.warning("the pictures from before the restart are lost: \(error.detail)")
        }
    }

    /// Writes the table behind the pictures and has `send` hand over the file; from then on it takes no frame.
    ///
    /// Does nothing where no picture is in it, or it is not to outlast the daemon.
    ///
    /// `camera` stands for the camera and all that makes its pictures what they are.
    package func handOver(of camera: Int64, _ send: (CInt) -> Void) {
        guard configuration.handsOver else { return }
        state.withLock { state in
            state.isHandedOver = true
            guard let memory = state.memory else { return }
            let entries = state.table.all.filter { $0.layout == Self.layout(of: $0) }
            guard !entries.isEmpty else { return }
            var words = [Self.format, Int64(memory.byteCount), camera, state.slept.nanosecondCount]
            for entry in entries { words += Self.words(of: entry) }
            if memory.append(words) { send(memory.descriptor) }
        }
    }

    /// Takes over the pictures of a ring of the daemon before, whose file it owns from now on.
    ///
    /// Throws ``HandOverFault`` where it cannot; it is empty then.
    func takeOver(_ past: RingPast) throws(HandOverFault) {
        try state.withLock { (state) throws(HandOverFault) in
            guard let memory = FrameMemory(adopting: past.file, byteCount: configuration.byteCount) else {
                throw HandOverFault(detail: "they have other room than the ring, or cannot be mapped")
            }
            let words = memory.appended()
            guard words.count > Self.wordsOfRing, words[0] == Self.format, words[1] == Int64(configuration.byteCount),
                (words.count - Self.wordsOfRing) % Self.wordsOfFrame == 0
            else { throw HandOverFault(detail: "another version of tintyped has written them, or another ring") }
            guard words[2] == past.camera else {
                throw HandOverFault(detail: "the configuration of the camera is another")
            }
            guard clock.suspended() - .nanoseconds(words[3]) <= FrameHub.nap else {
                throw HandOverFault(detail: "the machine was suspended since")
            }
            let table = try Self.table(words, memory)
            state.memory = memory
            state.table = table
            state.next = UInt64(table.count)
            state.slept = .nanoseconds(words[3])
        }
    }

    /// The table that the words say; throws where it cannot be that of `memory`.
    private static func table(_ words: [Int64], _ memory: FrameMemory) throws(HandOverFault) -> RingTable {
        var table = RingTable(limit: memory.byteCount)
        for start in stride(from: wordsOfRing, to: words.count, by: wordsOfFrame) {
            let frame = Array(words[start..<(start + wordsOfFrame)])
            guard let entry = entry(frame, number: UInt64(table.count)), entry.range.lowerBound >= 0,
                entry.range.upperBound <= memory.byteCount, entry.range.count > 2,
                memory.read(entry.range.lowerBound..<(entry.range.lowerBound + 2)) == [0xFF, 0xD8],
                table.last.map({ $0.stamp.exposureStart < entry.stamp.exposureStart }) ?? true
            else { throw HandOverFault(detail: "their table is damaged") }
            table.append(entry)
        }
        return table
    }

    /// The layout of a picture as the words of its frame give it.
    private static func layout(of entry: RingTable.Entry) -> PictureLayout {
        let layout = entry.layout
        return PictureLayout(
            pixelFormat: layout.pixelFormat,
            size: layout.size,
            bytesPerRow: layout.bytesPerRow,
            color: .jfif
        )
    }

    private static func words(of entry: RingTable.Entry) -> [Int64] {
        let (stamp, layout) = (entry.stamp, entry.layout)
        return [
            Int64(entry.range.lowerBound), Int64(entry.range.upperBound), Int64(stamp.sequence),
            stamp.exposureStart.nanoseconds, stamp.uncertainty.nanosecondCount, stamp.lead?.nanosecondCount ?? .min,
            Int64(TimestampSource.allCases.firstIndex(of: stamp.source) ?? 0), stamp.dequeued.nanoseconds,
            Int64(stamp.faults.rawValue), Int64(layout.pixelFormat.rawValue),
            Int64(layout.size.width) << 32 | Int64(layout.size.height), Int64(layout.bytesPerRow),
        ]
    }

    /// The frame of these words, as of a stream before the first one; nil where they are of none.
    private static func entry(_ words: [Int64], number: UInt64) -> RingTable.Entry? {
        guard words[0] <= words[1], let sequence = UInt32(exactly: words[2]), let faults = UInt8(exactly: words[8]),
            let source = Int(exactly: words[6]), TimestampSource.allCases.indices.contains(source),
            let format = UInt32(exactly: words[9])
        else { return nil }
        let stamp = FrameStamp(
            sequence: sequence,
            ordinal: number + 1,
            exposureStart: MonotonicTime(nanoseconds: words[3]),
            uncertainty: .nanoseconds(words[4]),
            lead: words[5] == .min ? nil : .nanoseconds(words[5]),
            source: TimestampSource.allCases[source],
            dequeued: MonotonicTime(nanoseconds: words[7]),
            faults: DeliveryFaults(rawValue: faults)
        )
        let layout = PictureLayout(
            pixelFormat: FourCC(rawValue: format),
            size: FrameSize(width: Int(words[10] >> 32), height: Int(words[10] & 0xFFFF_FFFF)),
            bytesPerRow: Int(words[11]),
            color: .jfif
        )
        return RingTable.Entry(
            index: number,
            stamp: stamp,
            key: FrameKey(stream: 0, ordinal: number + 1),
            layout: layout,
            range: Int(words[0])..<Int(words[1])
        )
    }
}
