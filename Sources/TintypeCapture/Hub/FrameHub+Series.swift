// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel
internal import TintypeThreads

/// Pictures that are the mean of several frames in a row.
///
/// A series begins with a frame that does for a waiting client, and takes every frame that comes after it until it has
/// enough; all who want the same of the same first frame share it. A frame that the driver dropped is just not in it. One
/// that turns out damaged is counted as passed over, and the next takes its place. Where the device is closed in between,
/// for whatever reason, it starts again with the next frame that does.
extension FrameHub {
    /// Takes note of what became of one frame of a series; the last makes the picture.
    ///
    /// - Returns: whether this is the first damaged frame after a minute without any.
    func finish(
        _ key: FrameKey,
        partOf average: FrameAverage,
        _ rendition: Rendition,
        _ result: Result<Frame, ImagingError>
    ) -> Bool {
        guard let order = state.withLock({ $0.order(of: average) }) else { return false }
        switch result {
        case .success(let frame):
            guard !frame.picture.jpeg.isEmpty else { return false }
            state.withLock { _ = $0.series.removeValue(forKey: order) }
            let made = Frame(
                stamp: average.stamp,
                key: order.key,
                picture: frame.picture,
                encodeTime: frame.encodeTime,
                appearance: frame.appearance
            )
            return finish(order.key, order.rendition, .success(made.described(order.rendition, snapshot)))
        case .failure(.refused(let problem)):
            state.withLock { _ = $0.series.removeValue(forKey: order) }
            refuse(order, problem)
            return false
        case .failure:
            let fault: PictureFault? = if case .failure(let error) = result { error.fault } else { nil }
            return state.withLock { state in
                state.snapshot.counters.corrupt += 1
                state.series[order]?.taken -= 1
                for index in state.rendering[order, default: []].indices {
                    state.rendering[order]?[index].skipped[.corrupt, default: 0] += 1
                    if let fault { state.rendering[order]?[index].faults[fault, default: 0] += 1 }
                }
                return state.noteDamage(now: .now())
            }
        }
    }
}

extension FrameHub.State {
    /// What has to be made of a frame for this rendering of it: where several frames are averaged, the first part.
    mutating func begin(_ order: FrameHub.Order, _ stamp: FrameStamp) -> Rendition {
        guard order.rendition.average > 1 else { return order.rendition }
        let average = FrameAverage(count: order.rendition.average, first: stamp)
        series[order] = FrameSeries(average: average, newest: order.key)
        return order.rendition.part(of: average)
    }

    /// What has to be made of a frame for the series that have begun with earlier ones.
    mutating func goOn(with key: FrameKey) -> [Rendition] {
        var wanted: [Rendition] = []
        for (order, one) in series where key > one.newest && one.taken < order.rendition.average {
            series[order]?.taken += 1
            series[order]?.newest = key
            wanted.append(order.rendition.part(of: one.average))
        }
        return wanted
    }

    /// Ends a series that no client waits for any more, if `order` is one.
    mutating func endUnwanted(_ order: FrameHub.Order) {
        guard rendering[order]?.isEmpty ?? false, series.removeValue(forKey: order) != nil else { return }
        rendering[order] = nil
    }

    /// Has all who wait for a series wait for a frame to begin with: no more frames of this stream will come.
    mutating func breakSeries() {
        for order in series.keys {
            for demand in rendering.removeValue(forKey: order) ?? [] { waiting[demand.id] = demand }
        }
        series.removeAll()
    }

    fileprivate func order(of average: FrameAverage) -> FrameHub.Order? {
        series.first { $0.value.average == average }?.key
    }

    /// Notes that a frame has turned out damaged.
    ///
    /// - Returns: whether it is the first after a minute without any.
    mutating func noteDamage(now: MonotonicTime) -> Bool {
        defer { lastDamage = now }
        return lastDamage.map { now - $0 > FrameHub.damageMemory } ?? true
    }
}
