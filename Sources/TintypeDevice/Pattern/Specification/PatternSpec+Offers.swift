// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

extension PatternSpec {
    package struct SizeRange: Hashable, Sendable {
        package var minimum: FrameSize
        /// 1x1 for any size.
        package var step: FrameSize
    }

    package struct Input: Hashable, Sendable {
        package var name: String
        /// Nil for a valid signal.
        package var fault: SignalFault?
    }

    package struct Change: Hashable, Sendable {
        package var after: Int
        /// New size; nil for no picture.
        package var size: FrameSize?
        package var fault: SignalFault?
    }

    /// One for each pixel format.
    func descriptions(of format: CaptureFormat) -> [FormatDescription] {
        var list: [FormatDescription] = []
        for offer in [format] + others {
            var entry = FrameSizeDescription(size: offer.size, intervals: offer.interval.map { [$0] } ?? [])
            if let sizes, offer == format {
                let (low, high) = (sizes.minimum, offer.size)
                entry = FrameSizeDescription(minimum: low, maximum: high, step: sizes.step, intervals: entry.intervals)
            }
            if let index = list.firstIndex(where: { $0.pixelFormat == offer.pixelFormat }) {
                list[index].add(entry)
            } else {
                list.append(FormatDescription(pixelFormat: offer.pixelFormat, name: "Test pattern", sizes: [entry]))
            }
        }
        return list
    }

    /// The offer nearest to a request, as drivers grant it.
    func grant(_ wish: CaptureFormat, of format: CaptureFormat) -> CaptureFormat {
        if let grants { return grants }
        let descriptions = descriptions(of: format)
        let description = descriptions.first { $0.pixelFormat == wish.pixelFormat } ?? descriptions[0]
        let sizes = description.sizes.map { (size: $0.nearest(to: wish.size), intervals: $0.intervals) }
        let best = sizes.min { wish.size.distance(to: $0.size) < wish.size.distance(to: $1.size) }
        let rate = (wish.interval ?? format.interval)?.rate ?? 30
        let interval = best?.intervals.min { abs($0.rate - rate) < abs($1.rate - rate) } ?? format.interval
        return CaptureFormat(pixelFormat: description.pixelFormat, size: best?.size ?? format.size, interval: interval)
    }
}

extension FormatDescription {
    fileprivate mutating func add(_ entry: FrameSizeDescription) {
        if let index = sizes.firstIndex(where: { $0.maximum == entry.maximum && $0.step == nil }) {
            sizes[index].intervals = (sizes[index].intervals + entry.intervals).sorted { $0.duration < $1.duration }
        } else {
            sizes.append(entry)
        }
    }
}
