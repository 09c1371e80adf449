// SPDX-License-Identifier: Apache-2.0
internal import TintypeDevice
internal import TintypeImaging
internal import TintypeModel

/// Pictures that are the mean of several frames in a row.
///
/// A series begins with a frame that does for a waiting client, and takes every frame that comes after it until it has
/// enough; all who want the same of the same first frame share it. A frame that the driver dropped is just not in it. One
/// that turns out damaged is counted as passed over, and the next takes its place. Where the device is closed in between,
/// for whatever reason, it starts again with the next frame that does.
extension DemandTable {
    /// Begins a rendering, and returns what has to be made for it: where several frames are averaged, the first part.
    mutating func begin(_ order: Order, _ stamp: FrameStamp) -> Rendition {
        renderings[order] = Rendering()
        guard order.rendition.average > 1 else { return order.rendition }
        let average = FrameAverage(count: order.rendition.average, first: stamp)
        renderings[order]?.series = FrameSeries(average: average, newest: order.key)
        return order.rendition.part(of: average)
    }

    /// What has to be made of a frame for the series that have begun with earlier ones.
    mutating func continueSeries(with key: FrameKey) -> [Rendition] {
        var wanted: [Rendition] = []
        for (order, rendering) in renderings {
            guard let series = rendering.series, key > series.newest, series.taken < order.rendition.average else {
                continue
            }
            renderings[order]?.series?.taken += 1
            renderings[order]?.series?.newest = key
            wanted.append(order.rendition.part(of: series.average))
        }
        return wanted
    }

    /// The rendering that a part is of; nil where no client waits for it any more.
    func order(of average: FrameAverage) -> Order? { renderings.first { $0.value.series?.average == average }?.key }

    /// One frame of a series has turned out damaged: the next takes its place.
    mutating func partWasDamaged(_ order: Order, _ error: ImagingError, now: MonotonicTime) -> Finish {
        renderings[order]?.series?.taken -= 1
        for id in renderings[order]?.demands ?? [] { change(id) { $0.partWasDamaged(order.key, error) } }
        return error.skipReason == .corrupt ? recordDamage(now: now) : .passedOver
    }

    /// Has all who wait for a series wait for a frame to begin with: no more frames of this stream will come.
    mutating func breakSeries() {
        for (order, rendering) in renderings where rendering.series != nil {
            renderings[order] = nil
            for id in rendering.demands { change(id) { $0.lose(order.key) } }
        }
    }
}
