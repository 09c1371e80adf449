// SPDX-License-Identifier: Apache-2.0
package import TintypeModel

/// What a device says before it is asked for a format.
package struct FormatOffer: Hashable, Sendable {
    /// Which device it is: the path for error sentences, the bus for what it can carry.
    package var camera: CameraIdentity
    /// What the device enumerates; a format without sizes has those of its signal.
    package var formats: [FormatDescription]
    /// What the device is set to now: where neither wish nor enumeration say anything, this holds.
    package var current: CaptureFormat
    /// Whether the size is that of a signal from elsewhere, so that a larger one would only be blown up.
    package var hasSignal: Bool

    /// An offer of these parts.
    package init(
        camera: CameraIdentity,
        formats: [FormatDescription],
        current: CaptureFormat,
        hasSignal: Bool = false
    ) {
        self.camera = camera
        self.formats = formats
        self.current = current
        self.hasSignal = hasSignal
    }
}

extension FormatWish {
    /// The format to ask the driver for.
    ///
    /// First counts what is said with “at least”, “at most” and “exactly”, then the order of the pixel formats, the size,
    /// whether a USB 2 bus carries it raw, and the rate. Without `device` a pure function, for which every size of a range
    /// has the rates of the largest: a driver tells them for one size at a time, and is asked about those that come into
    /// question. Throws
    /// ``DeviceError/unsupported(path:reason:)`` with what is offered where no listed pixel format, or nothing exactly as
    /// asked, is there, and ``DeviceError/onlyVideo(path:formats:)`` for a camera that offers compressed video alone.
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
            throw .unsupported(
                path: offer.camera.path,
                reason: "the camera does not offer \(broken); the nearest that it offers is \(best)."
            )
        }
        return best
    }

    /// Throws ``DeviceError/unsupported(path:reason:)``, with both, where the driver granted something else than what is
    /// said to hold exactly.
    package func check(_ granted: CaptureFormat, path: String) throws(DeviceError) {
        guard let broken = broken(by: granted) else { return }
        throw .unsupported(path: path, reason: "\(broken).")
    }

    /// The wish for a device that is to deliver a part of its picture: without a wish for a size, that of the part.
    package func cropped(to crop: CropRectangle?) -> FormatWish {
        guard let crop, size == nil, preset == nil else { return self }
        var wish = self
        wish.size = .near(crop.size)
        return wish
    }

    private func brokenBefore(asking format: CaptureFormat) -> String? {
        if case .exactly(let exact) = size, exact != format.size { return "exactly \(exact)" }
        // A driver that tells no rates may have the one that is asked for.
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
            // What has to be converted first is taken only where there is nothing else.
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
    /// Whether it is compressed video, of which single pictures cannot be taken: H.264, HEVC, MPEG, VP8 and the like.
    var isVideo: Bool {
        [
            "H264", "AVC1", "M264", "HEVC", "S265", "MPEG", "MPG1", "MPG2", "MPG4", "XVID", "VP80", "VP90", "H263",
            "FWHT",
        ]
        .contains(description)
    }
}
