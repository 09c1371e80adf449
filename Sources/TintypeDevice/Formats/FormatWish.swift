// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// What a configuration says of the format; what it leaves out is chosen from what the device offers.
package struct FormatWish: Hashable, Sendable {
    /// The pixel format; nil to choose.
    package var pixelFormat: FourCC?
    /// The size; nil for the one nearest to 1280x720.
    package var size: FrameSize?
    /// The interval; nil for the one nearest to 30 frames a second.
    package var interval: FrameInterval?

    /// A wish of these parts.
    package init(pixelFormat: FourCC? = nil, size: FrameSize? = nil, interval: FrameInterval? = nil) {
        self.pixelFormat = pixelFormat
        self.size = size
        self.interval = interval
    }
}

extension FormatWish {
    /// The format to ask the driver for, from what it offers and what it is set to now.
    ///
    /// Of several pixel formats the first of ``FourCC/supported`` that is raw and fits the bus is taken, else MJPEG.
    /// A pure function; throws ``DeviceError/unsupported(path:reason:)`` with what is offered.
    package func resolve(
        offered: [FormatDescription],
        current: CaptureFormat,
        of camera: CameraIdentity
    ) throws(DeviceError) -> CaptureFormat {
        let path = camera.path
        let isUSB = camera.busInfo.hasPrefix("usb-")
        let usable = offered.filter { $0.isSupported && !$0.isEmulated }
        let names = offered.map(\.pixelFormat.description).joined(separator: ", ")
        if let pixelFormat {
            guard let description = usable.first(where: { $0.pixelFormat == pixelFormat }) else {
                throw .unsupported(path: path, reason: "the camera does not offer \(pixelFormat), only \(names).")
            }
            return choose(from: description, current)
        }
        // What has to be converted first is taken only where there is nothing else.
        let own = usable.filter { !$0.pixelFormat.isConverted }
        let formats = (own.isEmpty ? usable : own).map { choose(from: $0, current) }
        let order = FourCC.supported
        let raw = formats.filter { !$0.pixelFormat.isJPEG && (!isUSB || $0.bytesPerSecond <= Self.usbBudget) }
        let compressed = formats.filter(\.pixelFormat.isJPEG)
        let candidates = raw.isEmpty ? (compressed.isEmpty ? formats : compressed) : raw
        let best = candidates.min { left, right in
            (distance(left), order.firstIndex(of: left.pixelFormat) ?? order.count)
                < (distance(right), order.firstIndex(of: right.pixelFormat) ?? order.count)
        }
        guard let best else {
            throw .unsupported(
                path: path,
                reason: offered.isEmpty
                    ? "the camera offers no format." : "no picture can be made from the formats it offers: \(names)."
            )
        }
        return best
    }

    /// What high-speed USB 2 carries of pictures, in bytes a second.
    private static let usbBudget = 24_000_000.0
    private static let usualSize = FrameSize(width: 1280, height: 720)
    private static let usualInterval = FrameInterval(framesPerSecond: 30)

    private func distance(_ format: CaptureFormat) -> Int {
        let wish = size ?? Self.usualSize
        return abs(format.size.width - wish.width) + abs(format.size.height - wish.height)
    }

    private func choose(from description: FormatDescription, _ current: CaptureFormat) -> CaptureFormat {
        // A digital input has the one size that its signal has, and enumerates none.
        guard !description.sizes.isEmpty else {
            return CaptureFormat(
                pixelFormat: description.pixelFormat,
                size: size ?? current.size,
                interval: interval ?? current.interval
            )
        }
        let wish = size ?? Self.usualSize
        let choices = description.sizes.map { (size: $0.nearest(to: wish), intervals: $0.intervals) }
        let best = choices.min { left, right in
            abs(left.size.width - wish.width) + abs(left.size.height - wish.height)
                < abs(right.size.width - wish.width) + abs(right.size.height - wish.height)
        }
        return CaptureFormat(
            pixelFormat: description.pixelFormat,
            size: best?.size ?? wish,
            interval: interval ?? nearest(in: best?.intervals ?? [])
        )
    }

    private func nearest(in intervals: [FrameInterval]) -> FrameInterval? {
        intervals.min { abs($0.rate - Self.usualInterval.rate) < abs($1.rate - Self.usualInterval.rate) }
    }
}

extension CaptureFormat {
    fileprivate var bytesPerSecond: Double {
        let bitsPerPixel: Double =
            switch pixelFormat {
            case .grey: 8
            case .nv12, .nv21, .yu12, .yv12: 12
            case .rgb24, .bgr24: 24
            case .xrgb32, .xbgr32: 32
            case let format where format.isConverted: format.conversion?.bitsPerPixel ?? 16
            default: 16
            }
        return Double(size.area) * bitsPerPixel / 8 * (interval?.rate ?? 30)
    }
}
