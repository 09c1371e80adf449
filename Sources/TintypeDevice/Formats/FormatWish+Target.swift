// SPDX-License-Identifier: Apache-2.0
internal import TintypeModel

extension FormatWish {
    struct Target {
        /// Usable bandwidth of high-speed USB 2, in bytes per second.
        private static let usbBudget = 24_000_000.0
        private static let usualRate = FrameInterval(framesPerSecond: 30)

        private let formats: [FourCC]
        private let size: SizeWish
        /// For a device that enumerates no sizes; nil for its current size.
        private let named: FrameSize?
        private let rate: RateWish?
        private let isUSB: Bool

        init(_ wish: FormatWish, _ offer: FormatOffer) {
            formats = wish.pixelFormats
            rate = wish.rate ?? wish.preset?.rate
            isUSB = offer.camera.busInfo.hasPrefix("usb-")
            let isSilent = wish.size == nil && (wish.preset == nil || wish.preset == .photo)
            size =
                offer.hasSignal && isSilent
                ? .near(offer.current.size) : wish.size ?? (wish.preset ?? .medium).size
            named = isSilent ? nil : wish.size?.size ?? wish.preset?.size.size
        }

        /// Replaces size ranges by their candidate sizes, each with its own frame rates.
        func described(_ description: FormatDescription, by device: (any CaptureDevice)?) -> FormatDescription {
            guard let device else { return description }
            var description = description
            description.sizes = description.sizes.flatMap { entry in
                guard entry.step != nil else { return [entry] }
                let sizes = entry.sizes(around: size.size)
                let described = sizes.compactMap { device.description(of: $0, in: description.pixelFormat) }
                return described.count == sizes.count ? described : [entry]
            }
            return description
        }

        func candidates(of description: FormatDescription, _ current: CaptureFormat) -> [CaptureFormat] {
            // A digital input has only the size of its signal and may enumerate none.
            guard !description.sizes.isEmpty else {
                let size = size.isMet(by: current.size) && !isNear ? current.size : named ?? current.size
                let interval = rate?.interval ?? current.interval
                return [CaptureFormat(pixelFormat: description.pixelFormat, size: size, interval: interval)]
            }
            return description.sizes.flatMap { entry in
                entry.sizes(around: size.size).flatMap { size in
                    intervals(of: entry).map {
                        CaptureFormat(pixelFormat: description.pixelFormat, size: size, interval: $0)
                    }
                }
            }
        }

        /// Sort key, most significant first; the smallest is best.
        func key(_ format: CaptureFormat) -> [Double] {
            let interval = format.interval
            let broken =
                (size.isMet(by: format.size) ? 0 : 1) + (interval.map { rate?.isMet(by: $0) ?? true } ?? true ? 0 : 1)
            let order = FourCC.supported.filter { !$0.isJPEG } + [.mjpeg, .jpeg]
            let isTooMuch = isUSB && !format.pixelFormat.isJPEG && format.bytesPerSecond > Self.usbBudget
            let wished = rate.flatMap { rate in interval.map { abs($0.rate - rate.interval.rate) } }
            return [
                Double(broken), Double(formats.firstIndex(of: format.pixelFormat) ?? 0),
                Double(size.size.distance(to: format.size)), isTooMuch ? 1 : 0, wished ?? 0,
                Double(order.firstIndex(of: format.pixelFormat) ?? order.count),
                interval.map { abs($0.rate - Self.usualRate.rate) } ?? 0,
            ]
        }

        private var isNear: Bool { if case .near = size { true } else { false } }

        private func intervals(of entry: FrameSizeDescription) -> [FrameInterval?] {
            guard let shortest = entry.intervals.first, let longest = entry.intervals.last else {
                return [rate?.interval]
            }
            guard entry.hasIntervalRange else { return entry.intervals }
            let wish = rate?.interval ?? Self.usualRate
            return [wish.rate > shortest.rate ? shortest : wish.rate < longest.rate ? longest : wish]
        }
    }
}

extension CaptureFormat {
    /// Bus bandwidth of a raw format.
    fileprivate var bytesPerSecond: Double {
        let bitsPerPixel: Double =
            switch pixelFormat.inOneBuffer {
            case .grey: 8
            case .nv12, .nv21, .yu12, .yv12: 12
            case .rgb24, .bgr24: 24
            case .xrgb32, .xbgr32, .rgbx32, .bgrx32, .rgb32, .bgr32: 32
            default: pixelFormat.conversion?.bitsPerPixel ?? 16
            }
        return Double(size.area) * bitsPerPixel / 8 * (interval?.rate ?? 30)
    }
}
