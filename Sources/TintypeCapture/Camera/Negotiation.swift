// SPDX-License-Identifier: Apache-2.0
package import TintypeDevice
package import TintypeModel

/// Format asked of a device and granted by it.
package struct Negotiation: Hashable, Sendable {
    package var asked: CaptureFormat
    package var granted: GrantedFormat
    /// The selected input; nil if the device has none.
    package var input: InputStatus?
    /// One phrase for each configured value that was not granted.
    package var unmet: [String] = []
    /// True if no larger size is offered in the configured pixel formats.
    let isLargest: Bool

    /// Sets input, format and crop of an open device that is not streaming.
    ///
    /// `largest` selects the largest size in one of the configured pixel formats, uncropped. Throws if the device cannot
    /// do it, or if a value that must match exactly was not granted.
    init(_ device: any CaptureDevice, _ wanted: SessionConfiguration, largest: Bool = false) throws(DeviceError) {
        let crop = largest ? nil : wanted.input.crop
        input = try device.selectInput(wanted.input)
        let offer = try FormatOffer(of: device, input)
        let wish = largest ? wanted.format.largest(of: offer) : wanted.format.cropped(to: crop)
        asked = try wish.resolve(offer, asking: device)
        granted = try device.configure(asked, crop: crop)
        granted.layout.deinterlacing = wanted.input.deinterlace ?? .double
        guard !largest else {
            isLargest = true
            return
        }
        try wanted.format.check(granted.format, path: device.identity.path)
        // An unknown largest size is found out at the first full-size request.
        let size = (try? wanted.format.largest(of: offer).resolve(offer))?.size
        isLargest = size.map { [granted] in $0.area <= granted.format.size.area } ?? false
        unmet = wanted.format.unmet(by: granted.format)
        if let crop, let part = granted.crop, part != crop {
            unmet.append("the crop: \(crop) was asked for, and \(part) granted")
        }
        if let way = wanted.input.deinterlace, let possible = granted.layout.deinterlaced, possible != way {
            unmet.append("the deinterlacing: \(way.rawValue) was asked for, and only \(possible.rawValue) is possible")
        }
    }
}

extension FormatWish {
    /// Selects the largest size in one of the wished pixel formats, if the device offers any of them.
    fileprivate func largest(of offer: FormatOffer) -> FormatWish {
        let usable = offer.formats.filter { !$0.isEmulated && $0.isSupported && pixelFormats.contains($0.pixelFormat) }
        func area(_ format: FormatDescription) -> Int { format.sizes.map(\.maximum.area).max() ?? 0 }
        let most = usable.map(area).max() ?? 0
        // Their order is the order of preference; here size comes first.
        let largest = pixelFormats.filter { name in usable.contains { $0.pixelFormat == name && area($0) == most } }
        return FormatWish(preset: .photo, pixelFormats: largest.isEmpty ? pixelFormats : largest)
    }
}
