// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel

extension DispatchState {
    /// Adds a frame to all incomplete series and returns what to make of it.
    mutating func continueSeries(with key: FrameKey) -> [EncodingOptions] {
        series.indices.compactMap { series[$0].add(key) }
    }

    /// Counts a damaged frame of a series, which the next frame replaces.
    mutating func partWasDamaged(
        _ part: FrameKey,
        of average: FrameAverage,
        _ error: ImagingError,
        now: MonotonicTime
    ) -> EncodingOutcome {
        if let index = series.firstIndex(where: { $0.average == average }) {
            series[index].taken -= 1
            let (key, options) = (series[index].key, series[index].options)
            subscribers.changeAll { if $0.criteria.options == options { $0.queue.partWasDamaged(key, error) } }
        }
        return damage.record(error, of: part, now: now)
    }

    /// Ends the series for which no client waits any more.
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

    /// Forgets the newest frame, because its device is closed or the privacy shutter was closed.
    mutating func forgetFrames() {
        memo = nil
        breakSeries()
    }
}

/// An image being averaged from several consecutive frames.
///
/// It starts with a frame that matches a waiting client, and adds every later frame until it is complete. All
/// subscribers with the same options and the same first frame share it. Frames dropped by the driver are ignored. A
/// damaged frame is counted as skipped and replaced by the next one. If the device is closed in between, it restarts
/// with the next matching frame.
struct FrameSeries {
    /// The first frame.
    let key: FrameKey
    let options: EncodingOptions
    let average: FrameAverage
    /// Number of frames added so far, without damaged ones.
    var taken = 1
    var newest: FrameKey

    init(_ key: FrameKey, _ stamp: FrameStamp, _ options: EncodingOptions) {
        (self.key, self.options, newest) = (key, options, key)
        average = FrameAverage(count: options.average, first: stamp)
    }

    /// Adds a frame if one more is needed, and returns what to make of it.
    mutating func add(_ key: FrameKey) -> EncodingOptions? {
        guard key > newest, taken < options.average else { return nil }
        taken += 1
        newest = key
        return options.part(of: average)
    }
}
