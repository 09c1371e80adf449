// SPDX-License-Identifier: Apache-2.0

/// Requested format of a configuration; unspecified parts are chosen from the formats of the device.
package struct FormatWish: Hashable, Sendable {
    /// Nil for a format suited to stills: about 1280x720 at any rate.
    package var preset: FormatPreset?
    /// In order of preference; empty for automatic choice: raw if the bus bandwidth allows, otherwise MJPEG.
    package var pixelFormats: [FourCC]
    /// Nil for the size of the preset.
    package var size: SizeWish?
    /// Nil for the rate of the preset.
    package var rate: RateWish?

    package init(
        preset: FormatPreset? = nil,
        pixelFormats: [FourCC] = [],
        size: SizeWish? = nil,
        rate: RateWish? = nil
    ) {
        (self.preset, self.pixelFormats, self.size, self.rate) = (preset, pixelFormats, size, rate)
    }

    package static let mostPixelFormats = 16

    /// Unmet parts as phrases, such as `the size: exactly 1280x720 was asked for, and 640x480 granted`.
    package func unmet(by granted: CaptureFormat) -> [String] {
        var list: [String] = []
        if !pixelFormats.isEmpty, !pixelFormats.contains(granted.pixelFormat) {
            let names = pixelFormats.map(\.description).joined(separator: " or ")
            list.append("the format: \(names) was asked for, and \(granted.pixelFormat) granted")
        }
        if let size, !size.isMet(by: granted.size) || size == .near(size.size) && size.size != granted.size {
            list.append("the size: \(size) was asked for, and \(granted.size) granted")
        }
        if let rate, let phrase = unmet(rate, by: granted.interval) { list.append(phrase) }
        return list
    }

    /// First unmet requirement with `exactly`; nil if all are met.
    package func broken(by granted: CaptureFormat) -> String? {
        if case .exactly(let exact) = size, exact != granted.size {
            return "the size: exactly \(exact) was asked for, and \(granted.size) granted"
        }
        if case .exactly = rate, let rate { return unmet(rate, by: granted.interval) }
        return nil
    }

    private func unmet(_ rate: RateWish, by interval: FrameInterval?) -> String? {
        guard let interval else { return "the rate: \(rate) was asked for, and the driver has no notion of one" }
        let isMet = rate.isMet(by: interval) && RateWish.exactly(rate.interval).isMet(by: interval)
        if case .atLeast = rate, rate.isMet(by: interval) { return nil }
        return isMet ? nil : "the rate: \(rate) was asked for, and \(interval) granted"
    }
}
