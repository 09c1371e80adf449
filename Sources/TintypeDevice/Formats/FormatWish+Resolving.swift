// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// Capabilities of a device that a format request is resolved against.
package struct FormatOffer: Hashable, Sendable {
    /// For messages, and to know the bandwidth of its bus.
    package var camera: CameraIdentity
    /// A format without sizes has the size of the signal.
    package var formats: [FormatDescription]
    /// Default for what neither request nor enumeration determine.
    package var current: CaptureFormat
    /// True if the size is that of an external signal, which a larger size would only upscale.
    package var hasSignal = false
}

extension FormatOffer {
    package init(of device: any CaptureDevice, _ input: InputStatus?) throws(DeviceError) {
        let (formats, current) = (try device.formats(), try device.currentFormat())
        let hasSignal = input?.hasSignal ?? false
        self.init(camera: device.identity, formats: formats, current: current, hasSignal: hasSignal)
    }
}

extension FormatWish {
    /// Selects the format to request from the driver.
    ///
    /// Criteria in order: limits (“at least”, “at most”, “exactly”), order of the pixel formats, size, raw on USB 2,
    /// and rate. Drivers report rates for one size at a time: `device` is queried for the candidates only; without it,
    /// every size of a range has the rates of the largest one. Throws ``DeviceError/unsupported(path:reason:)`` with
    /// the available formats if no listed pixel format, or not exactly the requested value, is available, and
    /// ``DeviceError/onlyVideo(path:formats:)`` for a camera that only offers compressed video.
    package func resolve(
        _ offer: FormatOffer,
        asking device: (any CaptureDevice)? = nil
    ) throws(DeviceError) -> CaptureFormat {
        let wish = Target(self, offer)
        let usable = try usable(of: offer).map { wish.described($0, by: device) }
        let candidates = usable.flatMap { wish.candidates(of: $0, offer.current) }
        guard let best = candidates.min(by: { wish.key($0).lexicographicallyPrecedes(wish.key($1)) }) else {
            throw .unsupported(path: offer.camera.path, reason: "the camera offers no size.")
        }
        if let broken = brokenBefore(asking: best) {
            let reason = "the camera does not offer \(broken); the nearest that it offers is \(best)."
            throw .unsupported(path: offer.camera.path, reason: reason)
        }
        return best
    }

    /// Throws ``DeviceError/unsupported(path:reason:)`` if the driver granted something else than an “exactly” request.
    package func check(_ granted: CaptureFormat, path: String) throws(DeviceError) {
        guard let broken = broken(by: granted) else { return }
        throw .unsupported(path: path, reason: "\(broken).")
    }

    /// Uses the size of the crop if no size is requested.
    package func cropped(to crop: CropRectangle?) -> FormatWish {
        guard let crop, size == nil, preset == nil else { return self }
        var wish = self
        wish.size = .near(crop.size)
        return wish
    }

    private func brokenBefore(asking format: CaptureFormat) -> String? {
        if case .exactly(let exact) = size, exact != format.size { return "exactly \(exact)" }
        // A driver that reports no rates may still support the requested one.
        if case .exactly(let exact) = rate, let interval = format.interval, let rate, !rate.isMet(by: interval) {
            return "exactly \(exact) frames a second"
        }
        return nil
    }

    private func usable(of offer: FormatOffer) throws(DeviceError) -> [FormatDescription] {
        let path = offer.camera.path
        let own = offer.formats.filter { !$0.isEmulated }
        let usable = own.filter(\.isSupported)
        let names = own.map(\.pixelFormat.description).joined(separator: ", ")
        guard !own.isEmpty else { throw .unsupported(path: path, reason: "the camera offers no format.") }
        guard !usable.isEmpty else {
            if own.allSatisfy(\.pixelFormat.isVideo) { throw .onlyVideo(path: path, formats: names) }
            throw .unsupported(path: path, reason: "no picture can be made from the formats it offers: \(names).")
        }
        guard !pixelFormats.isEmpty else {
            // Formats that need conversion are used only if there are no others.
            let handled = usable.filter { !$0.pixelFormat.isConverted }
            return handled.isEmpty ? usable : handled
        }
        let listed = usable.filter { pixelFormats.contains($0.pixelFormat) }
        guard !listed.isEmpty else {
            let wanted = pixelFormats.map(\.description).joined(separator: " or ")
            throw .unsupported(path: path, reason: "the camera does not offer \(wanted), only \(names).")
        }
        return listed
    }
}

extension FourCC {
    private static let videoNames: Set = [
        "H264", "AVC1", "M264", "HEVC", "S265", "MPEG", "MPG1", "MPG2", "MPG4", "XVID", "VP80", "VP90", "H263", "FWHT",
    ]

    /// Compressed video from which single pictures cannot be taken: H.264, HEVC, MPEG, VP8 and the like.
    var isVideo: Bool { Self.videoNames.contains(description) }
}

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
