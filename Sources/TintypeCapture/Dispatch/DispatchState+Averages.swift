// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
package import TintypeDevice
internal import TintypeImaging
internal import TintypeModel

extension DispatchState {
    /// Counts a damaged frame of a series, which the next frame replaces; returns as ``DamageLog/record(_:of:now:)``.
    mutating func partWasDamaged(
        _ part: FrameKey,
        of average: FrameAverage,
        _ error: ImagingError,
        now: MonotonicTime
    ) -> Bool? {
        if let index = series.firstIndex(where: { $0.average == average }) {
            series[index].taken -= 1
            let (key, options) = (series[index].key, series[index].options)
            subscribers.changeAll { if $0.criteria.options == options { $0.queue.partWasDamaged(key, error) } }
        }
        return damage.record(error, of: part, now: now)
    }

    mutating func endUnusedSeries() {
        series.removeAll { part in
            let isUsed = subscribers.all.contains {
                $0.criteria.options == part.options && $0.queue.isEncoding(part.key)
            }
            if !isUsed, memo?.key == part.key { memo?.forget(part.options) }
            return !isUsed
        }
    }

    /// Aborts all series because the stream has ended; their clients wait for a new first frame.
    mutating func breakSeries() {
        for part in exchange(&series, with: []) {
            if memo?.key == part.key { memo?.forget(part.options) }
            subscribers.changeAll { if $0.criteria.options == part.options { $0.queue.lose(part.key) } }
        }
    }
}

/// An image being averaged from consecutive frames, for all subscribers with the same options and first frame.
///
/// A damaged frame is replaced by the next one. If the device is closed, it restarts with the next matching frame.
struct FrameSeries {
    let options: EncodingOptions
    let average: FrameAverage
    var taken = 1
    var newest: FrameKey

    var key: FrameKey { average.stamp.key }

    init(_ stamp: FrameStamp, _ options: EncodingOptions) {
        (self.options, newest) = (options, stamp.key)
        average = FrameAverage(count: options.average, first: stamp)
    }

    mutating func add(_ key: FrameKey) -> EncodingOptions? {
        guard key > newest, taken < options.average else { return nil }
        taken += 1
        newest = key
        return options.part(of: average)
    }
}

/// Mean of several frames, which the thread that adds the last one gets; blocks while another thread adds a frame.
package final class FrameAverage: Hashable, Sendable {
    /// Stamp of the first frame, used for the averaged picture.
    package let stamp: FrameStamp
    private let sum: PictureAccumulator
    /// From best to worst.
    private static let order: [Verdict] = [.intact, .sound, .tolerated, .damaged]
    private let findings = Mutex<(verdict: Verdict, faults: [PictureFault])>((.intact, []))

    package init(count: Int, first stamp: FrameStamp) {
        self.stamp = stamp
        sum = PictureAccumulator(count: count)
    }

    /// The last frame replaces `planes` with the mean, and returns the worst verdict and all faults; nil for the
    /// others.
    func add(
        _ planes: inout PlanarPicture,
        _ verdict: Verdict,
        _ faults: [PictureFault]
    ) throws(ImagingError) -> (Verdict, [PictureFault])? {
        let isLast = try sum.add(&planes) {
            findings.withLock { findings in
                findings.verdict = Self.order.last { $0 == findings.verdict || $0 == verdict } ?? verdict
                findings.faults += faults.filter { !findings.faults.contains($0) }
            }
        }
        return isLast ? findings.withLock { ($0.verdict, $0.faults) } : nil
    }

    package static func == (left: FrameAverage, right: FrameAverage) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

struct DamageLog {
    private var last: MonotonicTime?
    /// The newest damaged frames, since several images may be made of one.
    private var counted: [FrameKey] = []

    /// Damaged frames within this time of each other count as one incident.
    private static let memory = Duration.seconds(60)

    /// True for the first damaged frame after a minute without any; nil if recorded already, or rejected as blank only.
    mutating func record(_ error: ImagingError, of key: FrameKey, now: MonotonicTime) -> Bool? {
        guard error.skipReason == .corrupt, !counted.contains(key) else { return nil }
        counted.append(key)
        if counted.count > Subscriber.depth { counted.removeFirst() }
        defer { last = now }
        return last.map { now - $0 > Self.memory } ?? true
    }
}
